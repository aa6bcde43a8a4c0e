// SPDX-License-Identifier: Apache-2.0
// Nothing: what the target of this file has is headers that are compiled once for all tests.
