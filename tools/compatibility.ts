/** Writes docs/compatibility.md: `npm run compatibility`. */

import { writeFileSync } from 'node:fs'
import { compatibilityPage } from '../conformance/src/runner/compatibility.ts'
import { readLedger } from '../conformance/src/runner/ledger.ts'
import { SCENARIOS } from '../conformance/src/scenarios.ts'
import { packageRoot } from '../src/package-root.ts'

writeFileSync(new URL('docs/compatibility.md', packageRoot()), compatibilityPage(SCENARIOS, readLedger()))
