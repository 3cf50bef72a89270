/** A server with TLS and one user with a password, for clients that log in; and the examples of docs/login-clients.md. */

import { readFileSync } from 'node:fs'
import { writeUser } from '../../src/gateway/identity/guard/passwords/users-file.ts'
import { startTidegate, type Tidegate } from '../../src/library/start-tidegate.ts'
import { basicLogin } from './basic-login.ts'
import { Authority, PemFolder } from './certificates.ts'

export const USER = 'alice'
export const PASSWORD = 'the password of alice'

export interface LoginServer {
  readonly server: Tidegate
  /** What the examples' programs find in their environment. */
  readonly environment: Readonly<Record<string, string>>
  readonly folder: PemFolder
  close(): Promise<void>
}

/** Its table `t` has the family f. */
export async function startLoginServer(): Promise<LoginServer> {
  const folder = new PemFolder()
  const authority = await Authority.make()
  const { certificate, key } = folder.write(
    'server',
    await authority.issue({ name: 'localhost', hosts: ['localhost', '127.0.0.1'] }),
  )
  const ca = folder.file('ca.crt', authority.certificate)
  const users = `${folder.path}/users`
  await writeUser(users, USER, PASSWORD)
  const server = await startTidegate({
    users,
    tlsCertificate: certificate,
    tlsKey: key,
    rpc: 0,
    zookeeper: 0,
  })
  await basicLogin(server.ports.rest!, authority.certificate, `${USER}:${PASSWORD}`, 'PUT', '/t/schema', {
    name: 't',
    ColumnSchema: [{ name: 'f' }],
  })
  return {
    server,
    environment: { ...(process.env as Record<string, string>), CA: ca, PASSWORD },
    folder,
    close: async () => {
      await server.stop()
      folder.remove()
    },
  }
}

/** The first example in that language, for the ports of that server. */
export function loginExample(language: 'sh' | 'js' | 'python' | 'java', { server }: LoginServer): string {
  const document = readFileSync('docs/login-clients.md', 'utf8')
  const found = new RegExp(`\`\`\`${language}\\n([\\s\\S]*?)\`\`\``).exec(document)?.[1]
  if (found === undefined) throw new Error(`docs/login-clients.md has no example in ${language}`)
  const { rest, thrift, rpc } = server.ports
  return found
    .replaceAll('8080', String(rest))
    .replaceAll('9090', String(thrift))
    .replaceAll('16020', String(rpc))
}
