# SPDX-License-Identifier: MIT


from tests.harness import engine_of
from tests.services.support import APP

engine = engine_of(APP)
