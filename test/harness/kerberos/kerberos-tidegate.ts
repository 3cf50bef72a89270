/** Tidegate as a process of its own, whose clients log in by Kerberos. */

import { join } from 'node:path'
import { ChildServer } from '../child-server.ts'
import { defaultsBeside, FREE_PORTS, MAIN } from '../tidegate-process.ts'
import type { KerberosRealm } from './kerberos-realm.ts'
import { addServiceKeys } from './service-keytab.ts'

/** With the principals hbase/localhost and HTTP/localhost. `folder`: of its keytab and its store. `args`: more flags of `serve`. */
export async function startKerberosTidegate(
  realm: KerberosRealm,
  folder: string,
  ...args: readonly string[]
): Promise<ChildServer> {
  const keytab = join(folder, 'service.keytab')
  for (const principal of ['hbase/localhost', 'HTTP/localhost'])
    await addServiceKeys(realm, principal, keytab)
  const store = ['--store', `native:${join(folder, 'store')}`, '--kerberos-service-keytab', keytab]
  const defaults = defaultsBeside(args, [...FREE_PORTS, ...store, '--log-level', 'error'])
  const { environment } = realm
  return ChildServer.start(MAIN, ['serve', ...defaults, ...args], 'inherit', { environment })
}
