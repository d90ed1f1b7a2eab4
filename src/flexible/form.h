/* The form of a reduced body's file. */
#ifndef RT_FLEXIBLE_FORM_H
#define RT_FLEXIBLE_FORM_H

#define RT_FLEXIBLE_SCHEMA "routh-flexible/1"

#endif
