import { type Command, InvalidArgumentError, Option } from 'commander'
import type { TimelineSettings } from '../../doors/timeline/service/timeline-settings.ts'
import { DEFAULT_LIMITS, type Limits } from '../../gateway/limits/limits.ts'
import { messageOf } from '../../model/message-of.ts'
import { tellingPlace, UsageError } from '../failures/usage-error.ts'
import { parseHost } from '../flags/bind-address.ts'
import { checkFirst } from '../flags/given-once.ts'
import { parsePositive } from '../flags/positive-number.ts'
import { blockCacheMax } from '../machine/memory-shares.ts'
import { type AdvertiseSettings, advertiseOptions, znodeParentOf } from './advertise-options.ts'
import { AUTHORIZATION_PARSERS } from './authorization-options.ts'
import { blockCacheOption, parseBlockCacheShare } from './block-cache-option.ts'
import { type BrowserSettings, browserSettings, CSRF_ENABLED } from './browser-settings.ts'
import {
  type ClusterStoreSpec,
  clusterOptions,
  isClusterStore,
  parseClusterStore,
} from './cluster-options.ts'
import { clusterUserOptions, readUserPassing } from './cluster-user-options.ts'
import { readConfigFile } from './config-file.ts'
import { type DoorSettings, doorOptions, readDoorSettings } from './door-options.ts'
import {
  DOOR_NAMES,
  DOORS,
  type DoorName,
  type PortSetting,
  parsePortSetting,
  portsOf,
} from './door-ports.ts'
import { type AccessSettings, accessOptions, readAccessSettings } from './guard-options.ts'
import { LIMITS } from './limit-options.ts'
import { type LogSettings, logOptions } from './log-options.ts'
import { memoryMaxOption } from './memory-option.ts'
import { type NativeStoreSpec, nativeOptions } from './native-options.ts'
import { checkProcesses, processesOption } from './processes-option.ts'
import { parseFlag } from './setting-flag.ts'
import { HBASE_KEYS, KEYS_OF_CLUSTER, QUOTAS, REST_READ_ONLY, STORE_KEYS } from './setting-keys.ts'
import { statedSettings } from './setting-names.ts'
import { readTestSettings, type TestSettings, testOptions } from './test-options.ts'
import { timelineSettings } from './timeline-options.ts'
import { readTraceSettings, type TraceSettings, traceOptions } from './trace-options.ts'
import { type UnreadKeys, unreadKeys } from './unread-keys.ts'

/** The store that `--store` names. */
export type StoreSpec = NativeStoreSpec | { readonly kind: 'memory' } | ClusterStoreSpec

type OtherSettings = DoorSettings &
  AdvertiseSettings &
  LogSettings &
  AccessSettings &
  BrowserSettings &
  TestSettings &
  TraceSettings

export interface ServeSettings extends OtherSettings {
  readonly store: StoreSpec
  readonly host: string
  /** Processes that serve the ports together. */
  readonly processes: number
  readonly ports: Readonly<Record<DoorName, PortSetting>>
  readonly logLevel: string
  readonly limits: Limits
  /** `limits.connectionsMax` is not the default, which the limit of open files may lower. */
  readonly areConnectionsStated: boolean
  /** Of the whole process. */
  readonly memoryBytesMax: number
  /** Of the native store. */
  readonly blockCacheBytes: number
  /** HBase's hbase.quota.enabled, of stores that keep their catalog themselves. */
  readonly quotas: boolean
  readonly timeline: TimelineSettings
  readonly unread: UnreadKeys
  /** What somebody has stated, for the log: by option, with its value as text. */
  readonly stated: Readonly<Record<string, string>>
}

const LOG_LEVELS = ['trace', 'debug', 'info', 'warn', 'error', 'fatal', 'silent']

function parseStore(text: string): StoreSpec {
  if (text === 'memory') return { kind: 'memory' }
  if (text.startsWith('native:')) {
    return { kind: 'native', directory: checkPath(text.slice('native:'.length)) }
  }
  if (isClusterStore(text)) return parseClusterStore(text)
  throw new InvalidArgumentError(
    'It must be native:DIRECTORY, hbase:HOST:PORT[,HOST:PORT...][/ZNODE], hbase (the cluster of the config file) or memory.',
  )
}

/** Throws InvalidArgumentError for a path that is empty, or blank in a way that nobody means. */
function checkPath(path: string): string {
  if (path !== '' && path.trim() === path && !path.includes('\0')) return path
  throw new InvalidArgumentError('A path is missing, or begins or ends with a space.')
}

/** Adds a `KEY=VALUE` to those before it, none of which may have its key. */
function parseDefinition(text: string, before: ReadonlyMap<string, string> = new Map()): Map<string, string> {
  const equals = text.indexOf('=')
  const key = text.slice(0, equals).trim()
  if (equals < 0 || key === '') throw new InvalidArgumentError(`"${text}" is not KEY=VALUE.`)
  checkFirst(key, before.has(key))
  return new Map([...before, [key, text.slice(equals + 1).trim()]])
}

function optionOf(flag: string, about: string): Option {
  const name = flag.slice(flag.indexOf('--') + 2).split(' ')[0]!
  return new Option(flag, about).env(`TIDEGATE_${name.toUpperCase().replaceAll('-', '_')}`)
}

export function addServeOptions(command: Command): Command {
  command
    .addOption(
      optionOf(
        '--store <store>',
        'where the data is: native:DIRECTORY; hbase:HOST:PORT[,HOST:PORT...][/ZNODE], a cluster, named by its ZooKeeper ' +
          'or its servers; hbase, the cluster of the config file; or memory (lost at the end)',
      )
        .argParser(parseStore)
        .default({ kind: 'native', directory: './data' } satisfies StoreSpec, 'native:./data'),
    )
    .addOption(
      optionOf('--config <file>', 'an hbase-site.xml, for settings without a flag or variable').argParser(
        checkPath,
      ),
    )
    .addOption(
      optionOf(
        '-D, --define <key=value...>',
        'a setting of the store by its key in hbase-site.xml, before the one of --config: docs/tuning.md',
      ).argParser(parseDefinition),
    )
    .addOption(
      optionOf('--host <address>', 'the address that every door binds')
        .argParser(parseHost)
        .default('127.0.0.1'),
    )
  for (const name of DOOR_NAMES) {
    const { port, about } = DOORS[name]
    command.addOption(
      optionOf(`--${name} <port>`, `${about}: port, 0 for a free one, or off`)
        .argParser(parsePortSetting)
        .default(port),
    )
  }
  command.addOption(
    optionOf('--log-level <level>', 'the least severe level that is logged')
      .choices(LOG_LEVELS)
      .default('info'),
  )
  const sizes = [processesOption(), memoryMaxOption(), blockCacheOption()]
  const access = [
    ...advertiseOptions(),
    ...accessOptions(),
    ...clusterUserOptions(),
    ...testOptions(),
    ...traceOptions(),
  ]
  for (const option of [...sizes, ...logOptions(), ...doorOptions(), ...access]) command.addOption(option)
  for (const key of limitKeys()) {
    const { flag, about, parse = parsePositive } = LIMITS[key]
    command.addOption(
      optionOf(`--${flag} <n>`, `limit: ${about}`).argParser(parse).default(DEFAULT_LIMITS[key]),
    )
  }
  return command.allowExcessArguments(false)
}

function limitKeys(): (keyof Limits)[] {
  return Object.keys(LIMITS) as (keyof Limits)[]
}

function lineLogsOf(
  command: Command,
): Pick<ServeSettings, 'accessLog' | 'auditLog' | 'accessLogRows' | 'slowLogMs'> {
  return {
    accessLog: command.getOptionValue('accessLog') as string | undefined,
    auditLog: command.getOptionValue('auditLog') as string | undefined,
    accessLogRows: command.getOptionValue('accessLogRows') as boolean,
    slowLogMs: command.getOptionValue('slowLogMs') as number | undefined,
  }
}

/** A flag wins over its TIDEGATE_* variable, the variable over the config file. Throws UsageError. */
export function readServeSettings(command: Command): ServeSettings {
  const configPath = command.getOptionValue('config') as string | undefined
  const fromFile = configPath === undefined ? new Map<string, string>() : readConfigFile(configPath)
  const store = command.getOptionValue('store') as StoreSpec
  const value = (name: string, parse: (text: string) => unknown): unknown => {
    const key = HBASE_KEYS[name]
    const ofCluster = store.kind === 'hbase' && KEYS_OF_CLUSTER.has(key)
    const text = key === undefined || ofCluster ? undefined : fromFile.get(key)
    if (command.getOptionValueSource(name) !== 'default' || text === undefined) {
      return command.getOptionValue(name)
    }
    try {
      command.setOptionValueWithSource(name, parse(text), 'config')
      return command.getOptionValue(name)
    } catch (error) {
      const reason = messageOf(error)
      throw new UsageError(`${configPath}: ${key} = "${text}" is invalid. ${reason}`)
    }
  }
  const host = value('host', parseHost) as string
  const ports = portsOf(command, (name) => value(name, parsePortSetting))
  const limits = Object.fromEntries(
    limitKeys().map((key) => [key, value(key, LIMITS[key].parse ?? parsePositive)]),
  )
  const defined = definitionsOf(command, store)
  const properties = new Map([...fromFile, ...defined])
  const definedBy = command.getOptionValueSource('define') === 'env' ? 'TIDEGATE_DEFINE' : '-D'
  const withPlace = <T>(read: () => T): T =>
    tellingPlace(read, (key) => (defined.has(key) ? definedBy : configPath))
  const memoryBytesMax = command.getOptionValue('memoryMax') as number
  const processes = command.getOptionValue('processes') as number
  checkProcesses(processes, store)
  const blockCacheBytes = value('blockCache', parseBlockCacheShare) as number
  const flagOf = (key: string): boolean => withPlace(() => parseFlag(key, properties.get(key)))
  const isDefaultCache = command.getOptionValueSource('blockCache') === 'default'
  for (const [name, parse] of Object.entries(AUTHORIZATION_PARSERS)) value(name, parse)
  const access = withPlace(() => readAccessSettings(command, host, DOOR_NAMES, properties))
  const passing = readUserPassing(command, store.kind, access)
  return {
    store: { ...withPlace(() => withProperties(store, properties)), ...(passing && { passing }) },
    host,
    ...access,
    ...readTestSettings(command, store.kind),
    ...readTraceSettings(command),
    processes,
    ports,
    logLevel: command.getOptionValue('logLevel') as string,
    ...lineLogsOf(command),
    limits: limits as unknown as Limits,
    areConnectionsStated: command.getOptionValueSource('connectionsMax') !== 'default',
    memoryBytesMax,
    blockCacheBytes: isDefaultCache ? blockCacheMax(memoryBytesMax) : blockCacheBytes,
    consoleWrites: command.getOptionValue('consoleWrites') as boolean,
    restReadOnly: flagOf(REST_READ_ONLY),
    ...withPlace(() => browserSettings(properties, flagOf(CSRF_ENABLED))),
    quotas: store.kind !== 'hbase' && flagOf(QUOTAS),
    ...readDoorSettings(command),
    timeline: withPlace(() => timelineSettings(properties)),
    advertise: command.getOptionValue('advertise') as ServeSettings['advertise'],
    znodeParent: znodeParentOf(
      {
        value: command.getOptionValue('znodeParent') as string,
        isDefault: command.getOptionValueSource('znodeParent') === 'default',
      },
      store.kind === 'hbase' ? new Map() : properties,
    ),
    unread: unreadKeys(store.kind, [...defined.keys()], [...fromFile.keys()]),
    stated: statedSettings(command, defined),
  }
}

/** Throws UsageError for a key that has a flag, and is no setting of the store. */
function definitionsOf(command: Command, store: StoreSpec): ReadonlyMap<string, string> {
  const defined = (command.getOptionValue('define') as ReadonlyMap<string, string> | undefined) ?? new Map()
  for (const [option, key] of Object.entries(HBASE_KEYS)) {
    if (!defined.has(key) || STORE_KEYS[store.kind].includes(key)) continue
    const flag = option.replace(/[A-Z]/g, (letter) => `-${letter.toLowerCase()}`)
    throw new UsageError(`-D ${key} is no setting of a store: use --${flag}.`)
  }
  return defined
}

function withProperties(store: StoreSpec, properties: ReadonlyMap<string, string>): StoreSpec {
  if (store.kind === 'hbase') return clusterOptions(store, properties)
  return store.kind === 'native' ? nativeOptions(store, properties) : store
}
