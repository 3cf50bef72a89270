import { join } from 'node:path'
import type { KerberosRealm } from './kerberos-realm.ts'

/** Where the KDC's folder has the keys of a service, such as rest/localhost, that a secured HBase uses. */
export function serviceKeytabPath(realm: KerberosRealm, principal: string): string {
  return join(realm.folder, `${principal.replace('/', '.')}.keytab`)
}

/** The keys of a service, whose principal is made where it is missing. */
export async function serviceKeytab(realm: KerberosRealm, principal: string): Promise<string> {
  const path = serviceKeytabPath(realm, principal)
  await addServiceKeys(realm, principal, path)
  return path
}

/** Adds the keys of a service to a keytab. Several suites of one KDC may have the same services. */
export async function addServiceKeys(realm: KerberosRealm, principal: string, path: string): Promise<void> {
  try {
    await realm.addPrincipal(principal, { keytab: path })
  } catch (error) {
    if (!String(error).includes('already exists')) throw error
    await realm.keytab(path, [principal])
  }
}
