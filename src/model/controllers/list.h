/* All classes of controllers, in the order of the reference page: the one list. CMake stops where a
 * file of this folder is not named here (cmake/Library.cmake). */
RT_CONTROLLER_CLASS(differential)
RT_CONTROLLER_CLASS(implicit)
RT_CONTROLLER_CLASS(state_space)
RT_CONTROLLER_CLASS(transfer_function)
RT_CONTROLLER_CLASS(general)
RT_CONTROLLER_CLASS(pid)
RT_CONTROLLER_CLASS(gain)
RT_CONTROLLER_CLASS(lag)
