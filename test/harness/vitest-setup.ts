/** Vitest runs this file before each file of tests. */

import fc from 'fast-check'
import { compareBuffersAsWhole } from './equal-buffers.ts'
import { SEED } from './test-runs.ts'

compareBuffersAsWhole()
if (SEED !== undefined) fc.configureGlobal({ ...fc.readConfigureGlobal(), seed: SEED })
