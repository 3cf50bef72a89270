/** Writes docs/clients.md of the results in docs/clients: `npm run docs:clients`. */

import { writeFileSync } from 'node:fs'
import { packageRoot } from '../src/package-root.ts'
import { KNOWN_CLIENTS, keptResult } from '../test/harness/client-transcripts/client-results.ts'
import { clientsPage } from '../test/harness/docs-site/clients-page.ts'

writeFileSync(new URL('docs/clients.md', packageRoot()), clientsPage(KNOWN_CLIENTS, keptResult))
