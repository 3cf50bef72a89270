/** TLS of native RPC to a cluster, by the keys of hbase-site.xml that Java clients read. HBase: X509Util. */

import { getCiphers, type SecureVersion } from 'node:tls'
import { messageOf } from '../../model/message-of.ts'
import { UsageError } from '../failures/usage-error.ts'
import { parseFlag } from './setting-flag.ts'

/** A file of certificates, and of a key. */
export interface KeyStoreFile {
  /** The key of hbase-site.xml that names the file. */
  readonly key: string
  readonly path: string
  /** The key of hbase-site.xml that has the password. */
  readonly passwordKey: string
  /** Empty where none is stated. */
  readonly password: string
  /** The key of hbase-site.xml that names Hadoop's store of passwords, which Java clients ask first; undefined where they have none. */
  readonly passwordStoreKey: string | undefined
}

export interface ClusterTlsOptions {
  /** Undefined: the authorities that Node knows. */
  readonly truststore: KeyStoreFile | undefined
  /** Undefined: Tidegate shows no certificate. */
  readonly keystore: KeyStoreFile | undefined
  /** True: a server's certificate must name the server's host or address. */
  readonly checksHost: boolean
  readonly handshakeTimeoutMs: number
  /** Undefined: TLS 1.2. */
  readonly minVersion: SecureVersion | undefined
  /** Undefined: the newest that Node has. */
  readonly maxVersion: SecureVersion | undefined
  /** OpenSSL's names of cipher suites, with colons between them; undefined: Node's suites. */
  readonly ciphers: string | undefined
}

const ENABLED = 'hbase.client.netty.tls.enabled'
const CHECKS_HOST = 'hbase.client.netty.tls.verify.server.hostname'
const HANDSHAKE_TIMEOUT = 'hbase.client.netty.tls.handshaketimeout'
const TRUSTSTORE = 'hbase.rpc.tls.truststore'
const KEYSTORE = 'hbase.rpc.tls.keystore'
const PROTOCOLS = 'hbase.rpc.tls.enabledProtocols'
const PROTOCOL = 'hbase.rpc.tls.protocol'
/** Hadoop: CredentialProviderFactory. Configuration.getPassword asks it. */
const PASSWORD_STORE = 'hadoop.security.credential.provider.path'
const CIPHERS = 'hbase.rpc.tls.ciphersuites'
/** Checks of revocation, which Tidegate does not have. HBase's name of the first has this spelling. */
const REVOCATION = ['hbase.rpc.tls.clr', 'hbase.rpc.tls.ocsp'] as const

export const CLUSTER_TLS_KEYS: readonly string[] = [
  ENABLED,
  CHECKS_HOST,
  HANDSHAKE_TIMEOUT,
  ...[TRUSTSTORE, KEYSTORE].flatMap((store) => [`${store}.location`, `${store}.type`, `${store}.password`]),
  PASSWORD_STORE,
  PROTOCOLS,
  PROTOCOL,
  CIPHERS,
  ...REVOCATION,
]

/** HBase: X509Util.DEFAULT_HANDSHAKE_DETECTION_TIMEOUT_MILLIS. */
const HANDSHAKE_TIMEOUT_MS = 5000
/** The types that Tidegate reads. The file's own first bytes decide, as Java's JKS files of today are PKCS12. */
const TYPES: readonly string[] = ['PEM', 'PKCS12', 'JKS']
/** The oldest first. */
const VERSIONS: readonly SecureVersion[] = ['TLSv1', 'TLSv1.1', 'TLSv1.2', 'TLSv1.3']

/** Undefined where the cluster's servers get no TLS. Throws UsageError with the key. */
export function clusterTls(properties: ReadonlyMap<string, string>): ClusterTlsOptions | undefined {
  const isSet = (key: string, fallback: boolean): boolean =>
    parseFlag(key, properties.get(key) || String(fallback))
  if (!isSet(ENABLED, false)) return undefined
  for (const key of REVOCATION) {
    if (!isSet(key, false)) continue
    throw new UsageError(
      `${key}: Tidegate does not ask whether a server's certificate is revoked; set it to false here, with -D ${key}=false`,
      key,
    )
  }
  return {
    truststore: storeFile(properties, TRUSTSTORE),
    keystore: storeFile(properties, KEYSTORE),
    checksHost: isSet(CHECKS_HOST, true),
    handshakeTimeoutMs: readKey(properties, HANDSHAKE_TIMEOUT, parseMs) ?? HANDSHAKE_TIMEOUT_MS,
    ...versionsOf(properties),
    ciphers: readKey(properties, CIPHERS, parseCiphers),
  }
}

function storeFile(properties: ReadonlyMap<string, string>, store: string): KeyStoreFile | undefined {
  const key = `${store}.location`
  const path = properties.get(key) ?? ''
  if (path === '') return undefined
  const passwordKey = `${store}.password`
  checkType(`${store}.type`, properties.get(`${store}.type`) ?? '', path)
  return {
    key,
    path,
    passwordKey,
    password: properties.get(passwordKey) ?? '',
    passwordStoreKey: (properties.get(PASSWORD_STORE) ?? '') === '' ? undefined : PASSWORD_STORE,
  }
}

function checkType(key: string, stated: string, path: string): void {
  const type = stated === '' && path.endsWith('.bcfks') ? 'BCFKS' : stated.toUpperCase()
  if (type === '' || TYPES.includes(type)) return
  const conversion =
    type === 'BCFKS' ? `: convert ${path} with keytool -importkeystore -deststoretype PKCS12` : ''
  throw new UsageError(`${key}: Tidegate reads ${TYPES.join(', ')}, not ${type}${conversion}`, key)
}

/** The oldest and the newest of the stated versions: OpenSSL takes all versions between two. */
function versionsOf(
  properties: ReadonlyMap<string, string>,
): Pick<ClusterTlsOptions, 'minVersion' | 'maxVersion'> {
  const stated = readKey(properties, PROTOCOLS, parseVersions) ?? readKey(properties, PROTOCOL, parseVersions)
  return { minVersion: stated?.[0], maxVersion: stated?.at(-1) }
}

function parseVersions(text: string): readonly SecureVersion[] {
  const named = listOf(text)
  const stranger = named.find((name) => !VERSIONS.some((version) => version === name))
  if (stranger !== undefined) throw new Error(`"${stranger}" is none of ${VERSIONS.join(', ')}.`)
  return VERSIONS.filter((version) => named.includes(version))
}

function parseCiphers(text: string): string {
  return listOf(text).map(opensslCipher).join(':')
}

/** OpenSSL's name of a cipher suite, of which Java has another before TLS 1.3: ECDHE-RSA-AES128-SHA for TLS_ECDHE_RSA_WITH_AES_128_CBC_SHA. */
function opensslCipher(javaName: string): string {
  const [exchange, cipher] = javaName.replace(/^TLS_/, '').split('_WITH_')
  const name =
    cipher === undefined
      ? javaName
      : `${exchange === 'RSA' ? '' : `${exchange}_`}${cipher}`
          .replace(/AES_(\d+)_(?:CBC_)?/, 'AES$1_')
          .replace(/POLY1305_SHA256$/, 'POLY1305')
          .replaceAll('_', '-')
  if (getCiphers().includes(name.toLowerCase())) return name
  throw new Error(`"${javaName}" is no cipher suite that Node's OpenSSL has.`)
}

function parseMs(text: string): number {
  const ms = /^\d{1,10}$/.test(text) ? Number(text) : Number.NaN
  if (ms >= 1 && ms <= 0x7fffffff) return ms
  throw new Error(`"${text}" is not a whole number from 1 to 2147483647.`)
}

function listOf(text: string): readonly string[] {
  return text
    .split(',')
    .map((name) => name.trim())
    .filter((name) => name !== '')
}

/** Undefined where the key is missing or empty. */
function readKey<T>(
  properties: ReadonlyMap<string, string>,
  key: string,
  parse: (text: string) => T,
): T | undefined {
  const text = properties.get(key) ?? ''
  if (text === '') return undefined
  try {
    return parse(text)
  } catch (error) {
    throw new UsageError(`${key}: ${messageOf(error)}`, key)
  }
}
