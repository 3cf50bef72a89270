/** The files of MIT's KDC and of its clients: krb5.conf, which Java reads too, and kdc.conf. */

import { join } from 'node:path'

export const REALM = 'TIDEGATE.TEST'
export const OTHER_REALM = 'OTHER.TEST'

export interface KdcFiles {
  readonly folder: string
  readonly port: number
  readonly realms: readonly string[]
  /** Seconds by which clocks may differ; MIT's and Java's default is 300. */
  readonly clockSkewSeconds: number
  /** The folder of plugins for databases; undefined: MIT's own. */
  readonly databasePlugins: string | undefined
}

function section(name: string, lines: readonly string[]): string {
  return [`[${name}]`, ...lines.map((line) => `  ${line}`), ''].join('\n')
}

function braces(name: string, lines: readonly string[]): string[] {
  return [`${name} = {`, ...lines.map((line) => `  ${line}`), '}']
}

/** Names of hosts are never looked up: `localhost` is a host of the first realm. Clients ask by TCP, where a KDC that is away is noticed at once. */
export function krb5Conf({ folder, port, realms, clockSkewSeconds }: KdcFiles): string {
  const defaults = [
    `default_realm = ${realms[0]}`,
    `default_ccache_name = FILE:${join(folder, 'ccache')}`,
    `clockskew = ${clockSkewSeconds}`,
    'dns_lookup_kdc = false',
    'dns_lookup_realm = false',
    'dns_canonicalize_hostname = false',
    'rdns = false',
    // MIT's clients correct a wrong clock by the KDC's else, and no test would see one.
    'kdc_timesync = 0',
    'forwardable = true',
    'udp_preference_limit = 1',
    // Java's keys: milliseconds of a try, and tries.
    'kdc_timeout = 3000',
    'max_retries = 1',
  ]
  return [
    section('libdefaults', defaults),
    section(
      'realms',
      realms.flatMap((realm) => braces(realm, [`kdc = 127.0.0.1:${port}`])),
    ),
    section('domain_realm', [`localhost = ${realms[0]}`]),
  ].join('\n')
}

export function kdcConf({ folder, port, realms, databasePlugins }: KdcFiles): string {
  const ofRealm = (realm: string): string[] => [
    `database_name = ${join(folder, realm)}`,
    `key_stash_file = ${join(folder, `${realm}.stash`)}`,
    'max_life = 10h',
    'max_renewable_life = 7d',
    'master_key_type = aes256-cts-hmac-sha1-96',
    // Both MIT's library and Java 8 to 17 have these.
    'supported_enctypes = aes256-cts-hmac-sha1-96:normal aes128-cts-hmac-sha1-96:normal',
    // A wrong password fails, as in most realms: without it the KDC hands out tickets that the client cannot decrypt.
    'default_principal_flags = +preauth',
  ]
  return [
    section('kdcdefaults', [`kdc_listen = 127.0.0.1:${port}`, `kdc_tcp_listen = 127.0.0.1:${port}`]),
    section(
      'realms',
      realms.flatMap((realm) => braces(realm, ofRealm(realm))),
    ),
    section('dbmodules', databasePlugins === undefined ? [] : [`db_module_dir = ${databasePlugins}`]),
    section('logging', [`kdc = FILE:${join(folder, 'kdc.log')}`]),
  ].join('\n')
}
