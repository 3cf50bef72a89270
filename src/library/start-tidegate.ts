/**
 * Tidegate as a library: `import { startTidegate } from 'tidegate'`, for tests of other projects and for programs that bring
 * their own server. Its types import nothing, so that the package ships one file of types.
 */

import { Command } from 'commander'
import { refuseSecondValues } from '../cli/flags/given-once.ts'
import { serverLog } from '../cli/logs/server-log.ts'
import { startServer } from '../cli/serve/start-server.ts'
import { readServeSettings, type ServeSettings } from '../cli/settings/serve-options.ts'
import { flagOf } from '../cli/settings/setting.ts'
import { addServeOptions } from '../cli/settings/stated-values.ts'
import { RecentEvents } from '../gateway/observing/logs/recent-events.ts'

/**
 * Each option is the flag of `tidegate serve` of the same name, in camel case. The defaults are for tests: memory, free ports,
 * no log. Variables `TIDEGATE_...` do not count.
 */
export interface TidegateOptions {
  /** `memory` (the default), `native:DIRECTORY`, `hbase:HOST:PORT,...` or `hbase`. */
  readonly store?: string
  /** The path of an hbase-site.xml. */
  readonly config?: string
  /** Settings of the store by their keys in hbase-site.xml, as `KEY=VALUE`; they go before those of `config`. */
  readonly define?: readonly string[]
  /** The address that every door binds. The default is 127.0.0.1. */
  readonly host?: string
  /** The port of REST. The default is 0, a free one. */
  readonly rest?: number | 'off'
  /** The port of Thrift 1 and 2. The default is 0, a free one. */
  readonly thrift?: number | 'off'
  /** The port of native RPC. The default is `off`. */
  readonly rpc?: number | 'off'
  /** Another port of native RPC, which answers as that of HBase's master. The default is `off`. */
  readonly master?: number | 'off'
  /** The port of ZooKeeper. The default is `off`. */
  readonly zookeeper?: number | 'off'
  /** The port of console, /health and /metrics. The default is `off`. */
  readonly web?: number | 'off'
  /** The port of YARN's timeline service. The default is `off`. */
  readonly timeline?: number | 'off'
  /** The least severe level that is logged, to stderr. The default is `silent`. */
  readonly logLevel?: 'trace' | 'debug' | 'info' | 'warn' | 'error' | 'fatal' | 'silent'
  /** A line of JSON for each request of every door, in this file; `-` is stdout. */
  readonly accessLog?: string
  /** A line of JSON for each login, change and read, and whether it was allowed, in this file; `-` is stdout. */
  readonly auditLog?: string
  /** The access log shows row keys and paths. */
  readonly accessLogRows?: boolean
  /** Traces go to this collector by OTLP over HTTP: `http://127.0.0.1:4318`. */
  readonly otlpEndpoint?: string
  /** Traces have row keys and paths. */
  readonly traceRows?: boolean
  /** Operations of the store that take longer have a line in the log. */
  readonly slowLogMs?: number
  /** Refuses writes, changes of tables, and upkeep at every door. */
  readonly readOnly?: boolean
  /** The console of the web door may change tables and rows. */
  readonly consoleWrites?: boolean
  /** Origins of pages whose scripts may use the REST door, or `*`. */
  readonly corsOrigin?: string | readonly string[]
  /** Paths of PEM files: the certificate with its chain. Connections of every door are then encrypted. */
  readonly tlsCertificate?: string | readonly string[]
  /** Paths of PEM files: the keys of the certificates, in their order. */
  readonly tlsKey?: string | readonly string[]
  /** Paths of PEM files: the authorities of clients' certificates. */
  readonly tlsClientCa?: string | readonly string[]
  /** Paths of PEM files: the certificates that these authorities have revoked (CRL). */
  readonly tlsClientCrl?: string | readonly string[]
  /** Whether every client must show a certificate. The default is `required`. */
  readonly tlsClientCertificates?: 'required' | 'optional'
  /** Doors that take connections without TLS, too: `web,zookeeper`. */
  readonly tlsPlainToo?: string
  /** Path of the password file that `tidegate user add` writes: clients must log in. */
  readonly users?: string
  /** Paths of files with the keys of tokens (JWT): a secret, a public key in PEM, a JSON Web Key Set or its URL. */
  readonly jwtSecret?: string | readonly string[]
  readonly jwtKey?: string | readonly string[]
  readonly jwtKeySet?: string
  readonly jwtIssuer?: string
  readonly jwtAudience?: string
  /** The claim that names the user. The default is `sub`. */
  readonly jwtUserClaim?: string
  /** Rules by which a user may act for others: `NAME for USERS from HOSTS`. */
  readonly proxyUser?: string | readonly string[]
  /** Proxies, as `10.0.0.1` or `10.0.0.0/8` with commas between them, that may say where requests come from. */
  readonly trustedProxies?: string
  readonly jwtSkewS?: number
  /** The folder of the keys of HBase's delegation tokens. Default: one in the folder of a native store. */
  readonly delegationKeys?: string
  /** How long such a key signs new tokens: milliseconds, or `'12h'`. Default: 1d. */
  readonly delegationKeyInterval?: number | string
  /** How long such a token counts: milliseconds, or `'12h'`. Default: 7d. */
  readonly delegationTokenLifetime?: number | string
  /** Users may do only what they are granted, as with HBase's AccessController. */
  readonly authorization?: boolean
  /** Cells may have labels, and users read those whose labels they have, as with HBase's VisibilityController. */
  readonly visibilityLabels?: boolean
  /** Users, and groups as `@GROUP`, who may do everything: `alice,@admins`. */
  readonly superuser?: string
  /** Path of the groups file: a line `GROUP:USER,USER` each. */
  readonly groups?: string
  /** The user of a call that a cluster sees: Tidegate's own, the caller, or the caller for whom Tidegate's own acts. The default is `own`. */
  readonly clusterUser?: 'own' | 'caller' | 'proxy'
  readonly clusterUserConnectionsMax?: number
  /** How Tidegate logs in to a cluster. The default is `kerberos` where one of the next three is there. */
  readonly clusterAuthentication?: 'simple' | 'kerberos'
  /** Tidegate's own principal for a cluster, and the path of the keytab with its key. */
  readonly kerberosPrincipal?: string
  readonly kerberosKeytab?: string
  /** The name of the ticket cache, `FILE:/tmp/krb5cc_1000`. The default is the system's. */
  readonly kerberosCache?: string
  /** Path of the keytab with the keys of the doors: clients may log in by Kerberos. */
  readonly kerberosServiceKeytab?: string
  /** Principals of the doors: `HTTP/_HOST@REALM,hbase/_HOST@REALM`. The default is any of the keytab. */
  readonly kerberosServicePrincipal?: string
  /** Rules from principals to users, as in hadoop.security.auth_to_local. The default is `DEFAULT`. */
  readonly kerberosRules?: string
  /** Binds more than the loopback, though clients need no login. */
  readonly insecure?: boolean
  /** Tests may empty the store and ask for faults, at `/_test` of the web door. */
  readonly testMode?: boolean
  /** In test mode: the path of a JSON file with the tables and rows of an empty store. */
  readonly seed?: string
  /** The address to which clients of native RPC and ZooKeeper connect: `HOST` or `HOST:PORT`. */
  readonly advertise?: string
  /** The parent of the znodes of ZooKeeper. The default is `/hbase`. */
  readonly znodeParent?: string
  /** Threads that serve connections of REST, Thrift and native RPC beside the main thread. They need Node 24.20 or 26.7. `auto`: by the number of cores. The default is 0. */
  readonly threads?: number | 'auto'
  /** Memory of the whole process: bytes, or `512m`, `2g`. The default is three quarters of a container, half of a machine. */
  readonly memoryMax?: number | string
  /** Memory for blocks of the native store's files: bytes, or `512m`, `2g`. The default is a fifth of `memoryMax` less 160 MiB. */
  readonly blockCache?: number | string
  /** How much of the native store's log stays for readers of changes that come back: bytes, or `'512m'`; 0: none. Default: 64m. */
  readonly changesKeep?: number | string
  /** A folder of backups, to which the native store hands its log. Default: none. */
  readonly archiveLog?: string
  /** How often it does: milliseconds, or `'10s'`. Default: 10s. */
  readonly archiveLogEvery?: number | string
  /** How much of the log waits while that folder is away: bytes, or `'512m'`. Default: 4g. */
  readonly archiveLogKeep?: number | string
  /** Bytes a second of the backups that belong to it. Default: 50m. */
  readonly archiveLogLimit?: number | string
  /** How much of the log is kept for each replication peer that is away: bytes, or `'512m'`. Default: 10g. */
  readonly replicationKeep?: number | string
  /** `rpc:HOST:PORT` of a leader, whose standby this server is: it takes no changes. Default: none. */
  readonly follow?: string
  /** How much of its log the leader keeps for this standby while it is away: bytes, or `'512m'`. Default: 10g. */
  readonly followKeep?: number | string
  /** The user by whom leader and standby log in at each other. */
  readonly followUser?: string
  /** A file whose first line is that user's password. */
  readonly followPasswordFile?: string
  /** Encrypts the connections of leader and standby. */
  readonly followTls?: boolean
  /** The same, for the authorities whose certificates the file has. */
  readonly followTlsCa?: string
  /** Files of the certificate that this server shows the other one, and of its key. */
  readonly followTlsCertificate?: string
  readonly followTlsKey?: string
  /** Leads, though a standby of this server was promoted. */
  readonly lead?: boolean
  readonly requestBytesMax?: number
  readonly headerBytesMax?: number
  readonly cellBytesMax?: number
  readonly batchMax?: number
  readonly elementsMax?: number
  readonly depthMax?: number
  readonly responseBytesMax?: number
  readonly scannersMax?: number
  readonly clientScannersMax?: number
  readonly scannerIdleMs?: number
  readonly restScannerIdleMs?: number
  readonly connectionIdleMs?: number
  readonly headersMs?: number
  readonly requestMs?: number
  readonly answerMs?: number
  readonly scarceAnswerMs?: number
  readonly connectionsMax?: number
  readonly sessionsMax?: number
  readonly changeFeedsMax?: number
  readonly watchesMax?: number
}

/** A server that listens. */
export interface Tidegate {
  readonly host: string
  /** Where the doors listen; a door that is off is missing. */
  readonly ports: {
    readonly rest?: number
    readonly thrift?: number
    readonly rpc?: number
    readonly master?: number
    readonly zookeeper?: number
    readonly web?: number
    readonly timeline?: number
  }
  /** Finishes what is in flight, then frees ports, folder and lock. Later calls resolve with the first one. */
  stop(): Promise<void>
}

const DEFAULTS = {
  store: 'memory',
  rest: 0,
  thrift: 0,
  rpc: 'off',
  master: 'off',
  zookeeper: 'off',
  web: 'off',
  timeline: 'off',
  logLevel: 'silent',
}

/** Throws an Error whose message names the option, its value and the reason; nothing is then left open. */
export async function startTidegate(options: TidegateOptions = {}): Promise<Tidegate> {
  try {
    return await started(options)
  } catch (error) {
    if (!(error instanceof Error)) throw error
    throw new Error(inWordsOfOptions(error.message), { cause: error })
  }
}

/** The settings' checks speak of flags: `--batch-max <n>` becomes `batchMax`. */
function inWordsOfOptions(message: string): string {
  return message
    .replace(/^error: /, '')
    .replaceAll(/--([a-z]+(?:-[a-z]+)*)(?: <[a-z]+>)?/g, (_, flag: string) =>
      flag.replaceAll(/-([a-z])/g, (_hyphen, letter: string) => letter.toUpperCase()),
    )
}

async function started(options: TidegateOptions): Promise<Tidegate> {
  const given = Object.entries(options).filter(([, value]) => value !== undefined)
  const settings = settingsOf({ ...DEFAULTS, ...Object.fromEntries(given) })
  const events = new RecentEvents()
  const logger = serverLog(settings.logLevel, { events })
  const named = new Map<string, string>(given.map(([name, value]) => [name, String(value)]))
  const nameOf = (setting: string): string => `${setting}: ${named.get(setting) ?? 'the default'}`
  const server = await startServer(settings, nameOf, logger, { events })
  let stopped: Promise<void> | undefined
  return {
    host: settings.host,
    ports: Object.fromEntries([...server.doors].map(([name, { port }]) => [name, port])),
    stop: () => (stopped ??= server.stop()),
  }
}

/** The command line reads and checks the options. No variables count. */
function settingsOf(options: Readonly<Record<string, unknown>>): ServeSettings {
  const command = addServeOptions(new Command('serve'), false)
    .exitOverride()
    .configureOutput({ writeErr: () => undefined })
  refuseSecondValues(command)
  const args = Object.entries(options).flatMap(([name, value]) => argumentsOf(name, value))
  return readServeSettings(command.parse(args, { from: 'user' }))
}

function argumentsOf(name: string, value: unknown): string[] {
  const flag = flagOf(name)
  if (value === undefined || value === false) return []
  if (value === true) return [flag]
  const values: readonly unknown[] = Array.isArray(value) ? value : [value]
  return values.map((each) => `${flag}=${String(each)}`)
}
