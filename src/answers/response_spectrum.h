/* Spectra of inputs, as they are given. */
#ifndef RT_ANSWERS_RESPONSE_SPECTRUM_H
#define RT_ANSWERS_RESPONSE_SPECTRUM_H

#include "answers/response_transfer.h"

/* Which input each of the spectrum's names is. BAD_ARGUMENT for one that is none, and where none
 * has a spectrum. place: as many as the spectrum has names, rt_spectrum_names of them. */
int rt_spectrum_names(const routh_spectrum *spectrum);
routh_status rt_spectrum_bind(const routh_spectrum *spectrum, const rt_channels *channels,
                              int *place, routh_error *error);

/* S (n_in x n_in, Hermitian) at f > 0; zero outside a table. work: rt_spectrum_work doubles. */
size_t rt_spectrum_work(const routh_spectrum *spectrum);
void rt_spectrum_at(const routh_spectrum *spectrum, const int *place, int n_in, double hz,
                    double _Complex *S, double *work);

/* The powers of the names of expressions at f > 0. powers: rt_spectrum_work doubles. */
void rt_spectrum_powers(const routh_spectrum *spectrum, double hz, double *powers);

/* Frequencies of the table, where its slopes change; 0 of expressions. */
int rt_spectrum_breaks(const routh_spectrum *spectrum, const double **hz);

#endif
