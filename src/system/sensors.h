/* Sensors as compiled; private to the room. */
#ifndef RT_SYSTEM_SENSORS_H
#define RT_SYSTEM_SENSORS_H

#include "system/compile.h"
#include "system/sensor.h"

/* Each sensor is the function of a load that pushes nothing: frames, multipliers and signals it
 * depends on, and its program. */
typedef struct rt_sensors {
    int count[RT_SENSOR_N_KINDS];
    rt_load_block *sensors[RT_SENSOR_N_KINDS];
} rt_sensors;

/* After the loads. */
routh_status rt_compile_sensors(routh_mechanism *mechanism, routh_error *error);

#endif
