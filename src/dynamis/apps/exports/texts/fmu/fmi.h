/* What this unit needs of the interface of FMI 3.0 (https://fmi-standard.org). */
#ifndef FMI_H
#define FMI_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#ifdef _WIN32
#define EXPORTED __declspec(dllexport)
#else
#define EXPORTED __attribute__((visibility("default")))
#endif

typedef enum { fmi3OK, fmi3Warning, fmi3Discard, fmi3Error, fmi3Fatal } fmi3Status;
typedef void *Pointer;
typedef const char *Text;
typedef uint32_t Reference;
typedef void (*Callback)(void);

EXPORTED Text fmi3GetVersion(void);
EXPORTED Pointer fmi3InstantiateCoSimulation(Text name, Text token, Text path, bool visible, bool logging,
    bool events, bool early, const Reference needed[], size_t count, Pointer environment, Callback log,
    Callback update);
EXPORTED void fmi3FreeInstance(Pointer unit);
EXPORTED fmi3Status fmi3EnterInitializationMode(Pointer unit, bool has_tolerance, double tolerance, double start,
    bool has_stop, double stop);
EXPORTED fmi3Status fmi3ExitInitializationMode(Pointer unit);
EXPORTED fmi3Status fmi3GetFloat64(Pointer unit, const Reference at[], size_t n, double values[], size_t count);
EXPORTED fmi3Status fmi3SetFloat64(Pointer unit, const Reference at[], size_t n, const double values[], size_t count);
EXPORTED fmi3Status fmi3DoStep(Pointer unit, double now, double size, bool no_way_back, bool *event, bool *end,
    bool *early, double *reached);

#endif
