/** Writes docs/compatibility.md: `npm run compatibility`. */

import { writeFileSync } from 'node:fs'
import { compatibilityPage } from '../src/conformance/runner/compatibility.ts'
import { readLedger } from '../src/conformance/runner/ledger.ts'
import { SCENARIOS } from '../src/conformance/scenarios.ts'
import { packageRoot } from '../src/package-root.ts'

writeFileSync(new URL('docs/compatibility.md', packageRoot()), compatibilityPage(SCENARIOS, readLedger()))
