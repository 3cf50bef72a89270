/** Kerberos: the login to a cluster, and logins of clients at the doors. */

import { InvalidArgumentError } from 'commander'
import { AuthToLocal, DEFAULT_RULES } from '../../gateway/identity/kerberos/auth-to-local.ts'
import { messageOf } from '../../model/message-of.ts'
import { parsePath } from '../flags/paths.ts'
import { checkedPrincipal } from './kerberos-keys.ts'
import type { SettingsOf } from './setting.ts'

export interface KerberosValues {
  /** Undefined: as the other settings say. */
  readonly clusterAuthentication: 'simple' | 'kerberos' | undefined
  readonly kerberosPrincipal: string | undefined
  /** The path of a keytab. */
  readonly kerberosKeytab: string | undefined
  /** The name of a ticket cache. */
  readonly kerberosCache: string | undefined
  /** The path of a keytab with the keys of the doors. */
  readonly kerberosServiceKeytab: string | undefined
  /** Principals of the doors, at most one for HTTP and one for SASL. Empty: any of the keytab. */
  readonly kerberosServicePrincipal: readonly string[]
  /** Rules in the grammar of AuthToLocal. */
  readonly kerberosRules: string
}

export const KERBEROS_SETTINGS: SettingsOf<KerberosValues> = {
  clusterAuthentication: {
    group: 'Cluster',
    takes: '<kind>',
    about:
      'how Tidegate logs in to a cluster: simple, or kerberos (hbase.security.authentication); kerberos where one of the next three flags is there',
    choices: ['simple', 'kerberos'],
    fallback: undefined,
  },
  kerberosPrincipal: {
    group: 'Cluster',
    takes: '<name>',
    about: "Tidegate's own principal, for a cluster: tidegate/_HOST@REALM; _HOST stands for this machine",
    parse: checkedPrincipal,
    fallback: undefined,
  },
  kerberosKeytab: {
    group: 'Cluster',
    takes: '<file>',
    about: 'the keytab with the key of --kerberos-principal',
    parse: parsePath,
    fallback: undefined,
  },
  kerberosCache: {
    group: 'Cluster',
    takes: '<name>',
    about:
      'the tickets that kinit has fetched, and that another program renews: FILE:/tmp/krb5cc_1000; the default is the cache of the system',
    fallback: undefined,
  },
  kerberosServiceKeytab: {
    group: 'Logins',
    takes: '<file>',
    about:
      'clients may log in by Kerberos at every door: the keytab with the keys of HTTP/HOST (REST, Thrift over HTTP, pages) and hbase/HOST (Thrift, native RPC)',
    parse: parsePath,
    fallback: undefined,
  },
  kerberosServicePrincipal: {
    group: 'Logins',
    takes: '<names>',
    about:
      'the principals of the doors, with commas between them: HTTP/_HOST@REALM,hbase/_HOST@REALM; without it any of the keytab',
    parse: (text) => text.split(',').map((name) => checkedPrincipal(name.trim())),
    fallback: [],
  },
  kerberosRules: {
    group: 'Logins',
    takes: '<rules>',
    about:
      'the users of principals, as rules of Hadoop with spaces between them: RULE:[1:$1@$0](.*@OTHER)s/@.*// DEFAULT; DEFAULT is the first part of a principal of the default realm',
    parse: checkedRules,
    fallback: DEFAULT_RULES,
    key: { name: 'hadoop.security.auth_to_local' },
  },
}

/** The text. Throws InvalidArgumentError for rules that are none. */
export function checkedRules(text: string): string {
  try {
    void new AuthToLocal(text, 'hadoop', undefined)
    return text
  } catch (error) {
    throw new InvalidArgumentError(messageOf(error))
  }
}
