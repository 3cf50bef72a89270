/** The program of a thread that serves connections, in a Tidegate whose modules are joined (`tools/bundle.js`). */

import { runDoorThread } from '../../machine/joined-modules.ts'

runDoorThread()
