# SPDX-License-Identifier: MIT
"""From the description of a service, WSDL or OpenAPI, to an application whose functions are to be filled in."""
