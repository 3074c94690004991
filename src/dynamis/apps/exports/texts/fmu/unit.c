/* All values of an instance lie in one array: the value reference is the place. */
typedef struct {
    double values[COUNT];
    int changed;
} Unit;

EXPORTED Text fmi3GetVersion(void) { return "3.0"; }

EXPORTED Pointer fmi3InstantiateCoSimulation(Text name, Text token, Text path, bool visible, bool logging,
    bool events, bool early, const Reference needed[], size_t count, Pointer environment, Callback log,
    Callback update)
{
    Unit *unit;
    (void)name; (void)path; (void)visible; (void)logging; (void)events; (void)early; (void)needed; (void)count;
    (void)environment; (void)log; (void)update;
    if (!token || strcmp(token, TOKEN)) return NULL;
    unit = malloc(sizeof *unit);
    if (unit) fmi3Reset(unit);
    return unit;
}

EXPORTED void fmi3FreeInstance(Pointer unit) { free(unit); }

EXPORTED fmi3Status fmi3Reset(Pointer instance)
{
    Unit *unit = instance;
    memcpy(unit->values, START, sizeof START);
    unit->changed = 1;
    return fmi3OK;
}

EXPORTED fmi3Status fmi3EnterInitializationMode(Pointer unit, bool has_tolerance, double tolerance, double start,
    bool has_stop, double stop)
{
    (void)has_tolerance; (void)tolerance; (void)has_stop; (void)stop;
    ((Unit *)unit)->values[0] = start;
    return fmi3OK;
}

EXPORTED fmi3Status fmi3GetFloat64(Pointer instance, const Reference at[], size_t n, double values[], size_t count)
{
    Unit *unit = instance;
    size_t k;
    if (n != count) return fmi3Error;
    if (unit->changed) observe(unit->values);
    unit->changed = 0;
    for (k = 0; k < n; k++) {
        if (at[k] >= COUNT) return fmi3Error;
        values[k] = unit->values[at[k]];
    }
    return fmi3OK;
}

EXPORTED fmi3Status fmi3SetFloat64(Pointer instance, const Reference at[], size_t n, const double values[],
    size_t count)
{
    Unit *unit = instance;
    size_t k;
    if (n != count) return fmi3Error;
    for (k = 0; k < n; k++) {
        if (at[k] < 1 || at[k] >= SETTABLE) return fmi3Error;
        unit->values[at[k]] = values[k];
    }
    unit->changed = 1;
    return fmi3OK;
}

/* Steps of equal length, none longer than longest_step; the inputs are constant meanwhile. */
EXPORTED fmi3Status fmi3DoStep(Pointer instance, double now, double size, bool no_way_back, bool *event, bool *end,
    bool *early, double *reached)
{
    Unit *unit = instance;
    double *v = unit->values, h;
    double count = ceil(size / v[LONGEST] - 1e-9), k;
    (void)no_way_back;
    *event = *end = *early = false;
    *reached = now;
    if (!(size > 0 && count < 1e9)) return fmi3Error;
    if (count < 1) count = 1;
    h = size / count;
    for (k = 0; k < count; k++) step(v, &h);
    v[0] = *reached = now + size;
    unit->changed = 1;
    for (k = STATES; k < STATES_END; k++) if (!isfinite(v[(int)k])) return fmi3Error;
    return fmi3OK;
}

EXPORTED fmi3Status fmi3GetFMUState(Pointer unit, Pointer *state)
{
    if (!*state) *state = malloc(sizeof(Unit));
    if (!*state) return fmi3Error;
    memcpy(*state, unit, sizeof(Unit));
    return fmi3OK;
}

EXPORTED fmi3Status fmi3SetFMUState(Pointer unit, Pointer state)
{
    memcpy(unit, state, sizeof(Unit));
    return fmi3OK;
}

EXPORTED fmi3Status fmi3FreeFMUState(Pointer unit, Pointer *state)
{
    (void)unit;
    free(*state);
    *state = NULL;
    return fmi3OK;
}

EXPORTED fmi3Status fmi3SerializedFMUStateSize(Pointer unit, Pointer state, size_t *size)
{
    (void)unit; (void)state;
    *size = sizeof(Unit);
    return fmi3OK;
}

EXPORTED fmi3Status fmi3SerializeFMUState(Pointer unit, Pointer state, uint8_t bytes[], size_t size)
{
    (void)unit;
    if (size < sizeof(Unit)) return fmi3Error;
    memcpy(bytes, state, sizeof(Unit));
    return fmi3OK;
}

EXPORTED fmi3Status fmi3DeserializeFMUState(Pointer unit, const uint8_t bytes[], size_t size, Pointer *state)
{
    if (size != sizeof(Unit) || fmi3GetFMUState(unit, state) != fmi3OK) return fmi3Error;
    memcpy(*state, bytes, size);
    return fmi3OK;
}

/* Changes of mode ask for nothing. */
#define MODE(name) EXPORTED fmi3Status name(Pointer unit) { (void)unit; return fmi3OK; }
MODE(fmi3ExitInitializationMode) MODE(fmi3Terminate) MODE(fmi3EnterStepMode)

EXPORTED fmi3Status fmi3SetDebugLogging(Pointer unit, bool on, size_t n, const Text categories[])
{
    (void)unit; (void)on; (void)n; (void)categories;
    return fmi3OK;
}

/* All that modelDescription.xml does not offer: it is refused. */
#define A Pointer a, const Reference b[], size_t c
#define NO(name, list, use) EXPORTED fmi3Status name list { use return fmi3Error; }
#define UNUSED (void)a; (void)b; (void)c;
#define ACCESS(kind, type) \
    NO(fmi3Get##kind, (A, type d[], size_t e), UNUSED (void)d; (void)e;) \
    NO(fmi3Set##kind, (A, const type d[], size_t e), UNUSED (void)d; (void)e;)
ACCESS(Float32, float) ACCESS(Int8, int8_t) ACCESS(UInt8, uint8_t) ACCESS(Int16, int16_t) ACCESS(UInt16, uint16_t)
ACCESS(Int32, int32_t) ACCESS(UInt32, uint32_t) ACCESS(Int64, int64_t) ACCESS(UInt64, uint64_t) ACCESS(Boolean, bool)
ACCESS(String, Text)
NO(fmi3GetBinary, (A, size_t d[], Pointer e[], size_t f), UNUSED (void)d; (void)e; (void)f;)
NO(fmi3SetBinary, (A, const size_t d[], const Pointer e[], size_t f), UNUSED (void)d; (void)e; (void)f;)
NO(fmi3GetClock, (A, bool d[]), UNUSED (void)d;)
NO(fmi3SetClock, (A, const bool d[]), UNUSED (void)d;)
NO(fmi3GetIntervalDecimal, (A, double d[], int e[]), UNUSED (void)d; (void)e;)
NO(fmi3GetIntervalFraction, (A, uint64_t d[], uint64_t e[], int f[]), UNUSED (void)d; (void)e; (void)f;)
NO(fmi3GetShiftDecimal, (A, double d[]), UNUSED (void)d;)
NO(fmi3GetShiftFraction, (A, uint64_t d[], uint64_t e[]), UNUSED (void)d; (void)e;)
NO(fmi3SetIntervalDecimal, (A, const double d[]), UNUSED (void)d;)
NO(fmi3SetIntervalFraction, (A, const uint64_t d[], const uint64_t e[]), UNUSED (void)d; (void)e;)
NO(fmi3SetShiftDecimal, (A, const double d[]), UNUSED (void)d;)
NO(fmi3SetShiftFraction, (A, const uint64_t d[], const uint64_t e[]), UNUSED (void)d; (void)e;)
NO(fmi3GetOutputDerivatives, (A, const int32_t d[], double e[], size_t f), UNUSED (void)d; (void)e; (void)f;)
#define DERIVATIVE(name) \
    NO(name, (A, const Reference d[], size_t e, const double f[], size_t g, double h[], size_t i), \
       UNUSED (void)d; (void)e; (void)f; (void)g; (void)h; (void)i;)
DERIVATIVE(fmi3GetDirectionalDerivative) DERIVATIVE(fmi3GetAdjointDerivative)
NO(fmi3GetNumberOfVariableDependencies, (Pointer a, Reference b, size_t *c), UNUSED)
NO(fmi3GetVariableDependencies, (Pointer a, Reference b, size_t c[], Reference d[], size_t e[], int f[], size_t g),
   UNUSED (void)d; (void)e; (void)f; (void)g;)
#define REFUSED(name) EXPORTED fmi3Status name(Pointer unit) { (void)unit; return fmi3Error; }
REFUSED(fmi3EnterEventMode) REFUSED(fmi3EnterConfigurationMode) REFUSED(fmi3ExitConfigurationMode)
REFUSED(fmi3EvaluateDiscreteStates) REFUSED(fmi3EnterContinuousTimeMode)
NO(fmi3ActivateModelPartition, (Pointer a, Reference b, double c), UNUSED)
NO(fmi3CompletedIntegratorStep, (Pointer a, bool b, bool *c, bool *d), UNUSED (void)d;)
NO(fmi3SetTime, (Pointer a, double b), (void)a; (void)b;)
NO(fmi3SetContinuousStates, (Pointer a, const double b[], size_t c), UNUSED)
NO(fmi3GetContinuousStates, (Pointer a, double b[], size_t c), UNUSED)
NO(fmi3GetContinuousStateDerivatives, (Pointer a, double b[], size_t c), UNUSED)
NO(fmi3GetNominalsOfContinuousStates, (Pointer a, double b[], size_t c), UNUSED)
NO(fmi3GetEventIndicators, (Pointer a, double b[], size_t c), UNUSED)
NO(fmi3GetNumberOfEventIndicators, (Pointer a, size_t *b), (void)a; (void)b;)
NO(fmi3GetNumberOfContinuousStates, (Pointer a, size_t *b), (void)a; (void)b;)
NO(fmi3UpdateDiscreteStates, (Pointer a, bool *b, bool *c, bool *d, bool *e, bool *f, double *g),
   UNUSED (void)d; (void)e; (void)f; (void)g;)
EXPORTED Pointer fmi3InstantiateModelExchange(Text a, Text b, Text c, bool d, bool e, Pointer f, Callback g)
{
    UNUSED (void)d; (void)e; (void)f; (void)g;
    return NULL;
}
EXPORTED Pointer fmi3InstantiateScheduledExecution(Text a, Text b, Text c, bool d, bool e, Pointer f, Callback g,
    Callback h, Callback i, Callback j)
{
    UNUSED (void)d; (void)e; (void)f; (void)g; (void)h; (void)i; (void)j;
    return NULL;
}
