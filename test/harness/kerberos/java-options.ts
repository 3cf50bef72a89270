import type { KerberosRealm } from './kerberos-realm.ts'

/** Options of any JVM whose Hadoop or HBase logs in with the realm's tickets. Hadoop 2.10 reads the default realm from Java's own class. */
export function kerberosJavaOptions(realm: KerberosRealm): string[] {
  return [
    `-Djava.security.krb5.conf=${realm.configuration}`,
    '--add-exports=java.security.jgss/sun.security.krb5=ALL-UNNAMED',
  ]
}
