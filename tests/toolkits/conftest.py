# SPDX-License-Identifier: MIT


from tests.toolkits.support import url_of
from whit.paths import ROOT

SERVICES = ROOT / "apps" / "services"

thermostat = url_of(SERVICES, scope="package")


device = url_of(SERVICES, scope="package", options=["--target", "cortex-m"])  # on an emulated Cortex-M3
