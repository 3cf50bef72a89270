/** Standbys: `--follow`, the login at the other server of the pair, and `--lead`. */

import { InvalidArgumentError } from 'commander'
import { UsageError } from '../failures/usage-error.ts'
import { parseBytes } from '../flags/byte-size.ts'
import { parsePath } from '../flags/paths.ts'
import { parseClusterStore } from './cluster-options.ts'
import type { DoorValues } from './door-options.ts'
import { flagOf, type SettingsOf, type Source, yesNo } from './setting.ts'
import type { StoreSpec } from './store-options.ts'

export interface FollowValues {
  /** HOST:PORT of the leader's native RPC; undefined: this server follows none. */
  readonly follow: string | undefined
  /** Bytes of the leader's log that are kept for this server while it is away. */
  readonly followKeep: number
  readonly followUser: string | undefined
  readonly followPasswordFile: string | undefined
  readonly followTls: boolean
  readonly followTlsCa: string | undefined
  readonly followTlsCertificate: string | undefined
  readonly followTlsKey: string | undefined
  readonly lead: boolean
}

export interface FollowSettings {
  readonly leader: string | undefined
  readonly keepBytesMax: number
  /** The login at the other server of the pair. */
  readonly login: FollowLogin
  /** True: this server leads, also where its standby was promoted. */
  readonly leads: boolean
}

/** As the flags of commands that ask servers. */
export interface FollowLogin {
  readonly user?: string
  readonly passwordFile?: string
  readonly tls?: true
  readonly tlsCa?: string
  readonly tlsCertificate?: string
  readonly tlsKey?: string
}

const KEEP_BYTES = 10 * 1024 * 1024 * 1024

export const FOLLOW_SETTINGS: SettingsOf<FollowValues> = {
  follow: {
    group: 'Store',
    takes: '<address>',
    about:
      'rpc:HOST:PORT of a leader: this server is its standby, has all that it has, and takes no changes (docs/standby.md)',
    parse: parseLeader,
    fallback: undefined,
  },
  followKeep: {
    group: 'Store',
    takes: '<size>',
    about: 'how much of its log the leader keeps for this standby while it is away: bytes, or 512m, 10g',
    parse: parseBytes,
    fallback: KEEP_BYTES,
    fallbackText: '10g',
  },
  followUser: {
    group: 'Store',
    takes: '<name>',
    about:
      'the user by whom leader and standby log in at each other, with --follow-password-file or TIDEGATE_PASSWORD',
    fallback: undefined,
  },
  followPasswordFile: {
    group: 'Store',
    takes: '<file>',
    about: 'the password of --follow-user is the first line of this file',
    parse: parsePath,
    fallback: undefined,
  },
  followTls: yesNo(
    'Store',
    'encrypt the connections of leader and standby; authorities that Node knows have signed their certificates',
  ),
  followTlsCa: {
    group: 'Store',
    takes: '<file>',
    about: 'the same, for the authorities whose certificates (PEM) the file has',
    parse: parsePath,
    fallback: undefined,
  },
  followTlsCertificate: {
    group: 'Store',
    takes: '<file>',
    about: 'the certificate (PEM) that this server shows the other one',
    parse: parsePath,
    fallback: undefined,
  },
  followTlsKey: {
    group: 'Store',
    takes: '<file>',
    about: 'its key (PEM)',
    parse: parsePath,
    fallback: undefined,
  },
  lead: yesNo(
    'Store',
    'lead from now on, though a standby of this server was promoted, or this store is the one of a standby',
  ),
}

/** Throws InvalidArgumentError. */
function parseLeader(text: string): string {
  const isRpc = text.startsWith('rpc:')
  const [endpoint, ...more] = isRpc ? parseClusterStore(text.replace('rpc:', 'hbase:')).cluster.servers : []
  if (endpoint === undefined || more.length > 0)
    throw new InvalidArgumentError('It must be rpc:HOST:PORT, the native RPC of one Tidegate.')
  return `${endpoint.host.includes(':') ? `[${endpoint.host}]` : endpoint.host}:${endpoint.port}`
}

const OF_FOLLOWING = ['followKeep'] as const

/** Undefined for another store than the native one. Throws UsageError for settings that do not fit each other. */
export function followSettings(
  values: FollowValues & Pick<DoorValues, 'rpc'>,
  store: StoreSpec,
  sourceOf: (name: keyof FollowValues) => Source,
): FollowSettings | undefined {
  const { follow, followKeep, followUser, followPasswordFile, followTls, followTlsCa, lead } = values
  const { followTlsCertificate, followTlsKey } = values
  if (follow === undefined) {
    const alone = OF_FOLLOWING.find((name) => sourceOf(name) !== 'default')
    if (alone !== undefined) throw new UsageError(`${flagOf(alone)} needs --follow rpc:HOST:PORT`)
  } else if (lead) throw new UsageError('--lead and --follow do not go together: a server leads, or follows')
  else if (store.kind !== 'native')
    throw new UsageError("--follow needs the server's own engine (--store native:DIRECTORY)")
  else if (values.rpc === 'off')
    throw new UsageError('--follow needs native RPC (--rpc PORT), by which a standby is promoted')
  if (followPasswordFile !== undefined && followUser === undefined)
    throw new UsageError('--follow-password-file needs --follow-user')
  if (store.kind !== 'native') return undefined
  return {
    leader: follow,
    keepBytesMax: followKeep,
    login: {
      ...(followUser !== undefined && { user: followUser }),
      ...(followPasswordFile !== undefined && { passwordFile: followPasswordFile }),
      ...(followTls && { tls: true as const }),
      ...(followTlsCa !== undefined && { tlsCa: followTlsCa }),
      ...(followTlsCertificate !== undefined && { tlsCertificate: followTlsCertificate }),
      ...(followTlsKey !== undefined && { tlsKey: followTlsKey }),
    },
    leads: lead,
  }
}
