/** Writes docs/compatibility.md: `npm run compatibility`. */

import { writeFileSync } from 'node:fs'
import { packageRoot } from '../src/cli/package-root.ts'
import { SCENARIOS } from '../test/conformance/scenarios.ts'
import { compatibilityPage } from '../test/conformance/suite/compatibility.ts'
import { readLedger } from '../test/conformance/suite/ledger.ts'

writeFileSync(new URL('docs/compatibility.md', packageRoot()), compatibilityPage(SCENARIOS, readLedger()))
