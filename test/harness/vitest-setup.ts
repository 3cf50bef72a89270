/** Vitest runs this file before each file of tests. */

import { compareBuffersAsWhole } from './equal-buffers.ts'

compareBuffersAsWhole()
