# SPDX-License-Identifier: MIT
"""Makes an application from the description of a service, WSDL or OpenAPI. Its functions are skeletons."""
