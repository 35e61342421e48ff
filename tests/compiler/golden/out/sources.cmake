# Written by the application compiler; do not edit. Before it is included, WHIT_GENERATED names its directory and
# WHIT_APP_DIR the application's.
set(WHIT_APP_SOURCES
    "${WHIT_GENERATED}/generator_lamp.c"
    "${WHIT_GENERATED}/generator_log.c"
    "${WHIT_GENERATED}/whit_tables.c"
    "${WHIT_APP_DIR}/lamp_driver.c"
)
