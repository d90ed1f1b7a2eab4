/* All families of measures, in the order of the reference page: the one list. CMake stops where a
 * file of this folder is not named here (cmake/Library.cmake). */
RT_MEASURE_FAMILY(displacement)
RT_MEASURE_FAMILY(angle)
RT_MEASURE_FAMILY(velocity)
RT_MEASURE_FAMILY(distance_rate)
RT_MEASURE_FAMILY(angular_velocity)
RT_MEASURE_FAMILY(acceleration)
RT_MEASURE_FAMILY(angular_acceleration)
RT_MEASURE_FAMILY(force)
RT_MEASURE_FAMILY(torque)
RT_MEASURE_FAMILY(rate)
