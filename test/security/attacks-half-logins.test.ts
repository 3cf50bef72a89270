/** Logins that begin and never end: `npm run attack:half-open` tries more of them. */

import { afterEach, expect, test } from 'vitest'
import { writeUser } from '../../src/gateway/identity/guard/passwords/users-file.ts'
import { startTidegate, type Tidegate } from '../../src/library/start-tidegate.ts'
import { PemFolder } from '../harness/certificates.ts'
import { HALF_LOGINS, openHalf } from '../harness/half-open.ts'
import { openSocket } from '../harness/load-connection.ts'

const HALF_OPEN = 300
const PASSWORD = 'the password of alice'

let folder: PemFolder
let server: Tidegate
afterEach(async () => {
  await server.stop()
  folder.remove()
})

test.each(HALF_LOGINS)(
  '$name: hundreds keep nobody out, and are ended',
  async (kind) => {
    folder = new PemFolder()
    const users = `${folder.path}/users`
    await writeUser(users, 'alice', PASSWORD)
    const limits = { headersMs: 2000, connectionsMax: HALF_OPEN + 10 }
    server = await startTidegate({ store: 'memory', rpc: 0, users, ...limits })
    const port = server.ports[kind.door]!
    const halves = await Promise.all(Array.from({ length: HALF_OPEN }, () => openHalf(port, kind)))
    const authorization = `Basic ${Buffer.from(`alice:${PASSWORD}`).toString('base64')}`
    const { status } = await fetch(`http://127.0.0.1:${server.ports.rest}/version`, {
      headers: { authorization },
    })
    expect(status).toBe(200)
    const another = await openSocket(port)
    expect(another.destroyed).toBe(false)
    another.destroy()
    await Promise.all(halves.map((half) => half.ended))
  },
  60_000,
)
