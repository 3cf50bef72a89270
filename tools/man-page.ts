/** Writes deploy/man/tidegate.1 from the commands: `npm run man`. */

import { writeFileSync } from 'node:fs'
import { MAN_PAGE, manPage } from '../test/harness/man-page.ts'

writeFileSync(MAN_PAGE, manPage())
