import { scan } from '../../model/query.ts'
import type { SpaceUse, SpaceViolationPolicy } from '../../model/quota.ts'
import { namespaceOf, parseTableName, qualifierOf, type TableName } from '../../model/table-name.ts'
import { QUOTA_TABLE, type QuotaOwner } from '../../store/quota-description.ts'
import type { Quotas } from '../../store/quotas.ts'
import { hashOf, int32Of, integerOf } from '../arguments/argument-values.ts'
import type { CommandContext, ShellCommand } from '../context/command.ts'
import { scannedRows } from '../context/scanned-rows.ts'
import { beyondReach, refuse } from '../output/shell-error.ts'
import { inspect, isTrue, type RubyHash, stringName, textOf, type Value } from '../ruby/values.ts'
import { quotaSettings } from './quota-listing.ts'
import { throttleOf } from './throttle-limit.ts'

export const QUOTA_COMMANDS: readonly ShellCommand[] = [
  { name: 'set_quota', min: 0, max: 1, run: setQuota },
  { name: 'list_quotas', min: 0, max: 1, run: listQuotas },
  { name: 'list_quota_table_sizes', min: 0, max: 1, run: listTableSizes },
  { name: 'list_quota_snapshots', min: 0, max: 1, run: listQuotaSnapshots },
  { name: 'list_snapshot_sizes', min: 0, max: 1, run: listSnapshotSizes },
  { name: 'enable_rpc_throttle', min: 0, max: 0, run: (context) => switchThrottle(context, true) },
  { name: 'disable_rpc_throttle', min: 0, max: 0, run: (context) => switchThrottle(context, false) },
  { name: 'enable_exceed_throttle_quota', min: 0, max: 0, run: (context) => switchExceeding(context, true) },
  {
    name: 'disable_exceed_throttle_quota',
    min: 0,
    max: 0,
    run: (context) => switchExceeding(context, false),
  },
]

function quotasOf({ store }: CommandContext): Quotas {
  return store.upkeep.quotas ?? beyondReach('Quota Support disabled. Please enable in configuration.')
}

const NO_CHANGE = { removesAll: undefined, bypassesGlobals: undefined, throttle: undefined, space: undefined }

async function setQuota(context: CommandContext, [given]: readonly Value[]): Promise<void> {
  const options = hashOf(given)
  const type = options.take('TYPE')
  const subject = takeSubject(options)
  if (type === undefined) {
    if (!options.has('GLOBAL_BYPASS')) refuse('Expected TYPE argument')
    if (subject.user === undefined) refuse('Expected USER')
    const bypassesGlobals = options.take('GLOBAL_BYPASS')
    // No other value of Ruby converts to Java's boolean.
    if (typeof bypassesGlobals !== 'boolean') refuse('GLOBAL_BYPASS must be true or false')
    checkNoMore(options, subject, ['table', 'namespace', 'regionServer'])
    return quotasOf(context).setQuota({ ...NO_CHANGE, ...subject, bypassesGlobals }, context.call)
  }
  const kind = textOf(type)
  if (kind === 'THROTTLE') {
    const throttle = throttleOf(options)
    if (Object.values(subject).every((each) => each === undefined))
      refuse('One of USER, TABLE, NAMESPACE or REGIONSERVER must be specified')
    const { user, table, regionServer } = subject
    if (user !== undefined)
      checkNoMore(options, subject, table === undefined ? ['regionServer'] : ['namespace', 'regionServer'])
    else if (table !== undefined) checkNoMore(options, subject, ['namespace', 'regionServer'])
    else checkNoMore(options, subject, regionServer === undefined ? [] : ['namespace'])
    return quotasOf(context).setQuota({ ...NO_CHANGE, ...subject, throttle }, context.call)
  }
  if (kind !== 'SPACE') refuse(`Invalid TYPE argument. got ${kind}`)
  const space = { quota: spaceQuotaOf(options) }
  const { table, namespace } = subject
  if (table !== undefined && namespace !== undefined)
    refuse('Only one of TABLE or NAMESPACE can be specified.')
  if (table === undefined && namespace === undefined) refuse('One of TABLE or NAMESPACE must be specified.')
  checkNoMore(options, subject, ['user', 'regionServer'])
  await quotasOf(context).setQuota({ ...NO_CHANGE, ...subject, space }, context.call)
}

const OPTION_NAMES = {
  user: 'USER',
  table: 'TABLE',
  namespace: 'NAMESPACE',
  regionServer: 'REGIONSERVER',
} as const

/** Refuses other options, and parts of the subject that a quota of this kind does not have. The master's refusal of them would be retried. */
function checkNoMore(
  options: RubyHash,
  subject: Subject,
  others: readonly (keyof typeof OPTION_NAMES)[],
): void {
  const surplus = others.filter((name) => subject[name] !== undefined).map((name) => OPTION_NAMES[name])
  if (surplus.length > 0) refuse(`Unexpected arguments: ${surplus.join(', ')}`)
  if (options.size > 0) refuse(`Unexpected arguments: ${inspect(options)}`)
}

interface Subject {
  readonly user: string | undefined
  readonly table: TableName | undefined
  readonly namespace: string | undefined
  readonly regionServer: string | undefined
}

function takeSubject(options: RubyHash): Subject {
  const table = stringName(options.take('TABLE'))
  return {
    user: stringName(options.take('USER')),
    table: table === undefined ? undefined : parseTableName(table),
    namespace: stringName(options.take('NAMESPACE')),
    // HBase has one limit for all region servers together.
    regionServer: options.take('REGIONSERVER') === undefined ? undefined : 'all',
  }
}

const POLICIES: ReadonlySet<string> = new Set(['DISABLE', 'NO_WRITES_COMPACTIONS', 'NO_WRITES', 'NO_INSERTS'])

function spaceQuotaOf(options: RubyHash): {
  limitBytes: bigint | undefined
  policy: SpaceViolationPolicy | undefined
  isRemoved: boolean | undefined
} {
  const limit = options.take('LIMIT')
  if (limit === undefined) refuse('Expected a LIMIT to be provided')
  if (textOf(limit) === 'NONE') return { limitBytes: undefined, policy: undefined, isRemoved: true }
  const policy = stringName(options.take('POLICY')) ?? refuse('Expected a POLICY to be provided')
  if (!POLICIES.has(policy))
    refuse(`No enum constant org.apache.hadoop.hbase.quotas.SpaceViolationPolicy.${policy}`)
  const limitBytes = typeof limit === 'bigint' ? limit : sizeOf(textOf(limit))
  if (limitBytes <= 0n) refuse('Invalid space limit, must be greater than 0')
  return { limitBytes, policy: policy as SpaceViolationPolicy, isRemoved: undefined }
}

function sizeOf(text: string): bigint {
  const match = /^(\d+)([bkmgtp]?)$/.exec(text.toLowerCase())
  if (match === null) refuse('Invalid size limit syntax')
  return integerOf(Buffer.from(match[1]!), 'LIMIT') << BigInt(10 * Math.max(0, 'bkmgtp'.indexOf(match[2]!)))
}

async function listQuotas(context: CommandContext, [given]: readonly Value[]): Promise<void> {
  const { out } = context
  out.header(['OWNER', 'QUOTAS'])
  const options = hashOf(given)
  const limit = isTrue(options.get('LIMIT')) ? int32Of(options.get('LIMIT')!, 'LIMIT') : -1
  const pattern = (name: string): RegExp | undefined => {
    const text = stringName(options.get(name))
    return text === undefined ? undefined : new RegExp(`^(?:${text})$`)
  }
  const wanted = { user: pattern('USER'), table: pattern('TABLE'), namespace: pattern('NAMESPACE') }
  let rows = 0
  if (await context.store.catalog.tableExists(QUOTA_TABLE, context.call)) {
    for await (const { owner, text } of quotaSettings(context)) {
      if (limit > 0 && rows >= limit) break
      if (!isWanted(owner, wanted)) continue
      out.row([ownerText(owner), text])
      rows++
    }
  }
  out.footer(rows)
}

function isWanted(
  owner: QuotaOwner,
  wanted: Readonly<Record<'user' | 'table' | 'namespace', RegExp | undefined>>,
): boolean {
  const names = ['user', 'table', 'namespace'] as const
  return names.every((name) => wanted[name] === undefined || wanted[name].test(owner[name] ?? ''))
}

function ownerText({ user, table, namespace, regionServer }: QuotaOwner): string {
  const parts = { USER: user, TABLE: table, NAMESPACE: namespace, REGIONSERVER: regionServer }
  const stated = Object.entries(parts).filter(([, value]) => value !== undefined)
  return stated.map(([key, value]) => `${key} => ${value}`).join(', ')
}

async function listTableSizes(context: CommandContext): Promise<void> {
  const { out } = context
  out.header(['TABLE', 'SIZE'])
  const { quotas } = context.store.upkeep
  const sizes = quotas === undefined ? [] : await quotas.tableSizes(context.call)
  for (const { table, bytes } of sizes) out.row([table, String(bytes)])
  out.footer(sizes.length)
}

async function listQuotaSnapshots(context: CommandContext, [given]: readonly Value[]): Promise<void> {
  const { out, call } = context
  const options = hashOf(given)
  out.header(['TABLE', 'USAGE', 'LIMIT', 'IN_VIOLATION', 'POLICY'])
  const [wanted, namespace] = [stringName(options.get('TABLE')), stringName(options.get('NAMESPACE'))]
  const quotas = quotasOf(context)
  const uses = isTrue(options.get('REGIONSERVER'))
    ? await quotas.serverSpaceUses(call)
    : (await quotas.quotaStates(call)).tables
  const shown = uses.filter(
    ({ table }) =>
      (wanted === undefined || qualifierOf(table) === wanted) &&
      (namespace === undefined || namespaceOf(table) === namespace),
  )
  for (const { table, ...use } of shown) out.row([table, ...useColumns(use)])
  out.footer(shown.length)
}

function useColumns({ usedBytes, limitBytes, violated }: SpaceUse): string[] {
  return [String(usedBytes), String(limitBytes), String(violated !== undefined), violated ?? 'None']
}

/** HBase keeps the sizes of snapshots in the rows of their tables, under `u:ss.NAME`. */
async function listSnapshotSizes(context: CommandContext): Promise<void> {
  const { out } = context
  out.header(['SNAPSHOT', 'SIZE'])
  let rows = 0
  const columns = [{ family: Buffer.from('u'), qualifiers: undefined }]
  for await (const cells of scannedRows(context, QUOTA_TABLE, scan({ columns }))) {
    for (const { qualifier, value } of cells) {
      const name = /^ss\.(.+)$/.exec(qualifier.toString())?.[1]
      // A message whose only field is the number of bytes.
      if (name === undefined || value[0] !== 0x08) continue
      out.row([name, String(varintAt(value, 1))])
      rows++
    }
  }
  out.footer(rows)
}

function varintAt(bytes: Buffer, at: number): bigint {
  let [value, shift] = [0n, 0n]
  for (let i = at; i < bytes.length; i++, shift += 7n) {
    value |= BigInt(bytes[i]! & 0x7f) << shift
    if (bytes[i]! < 0x80) break
  }
  return value
}

async function switchThrottle(context: CommandContext, on: boolean): Promise<Value> {
  const switches = context.store.upkeep.switches ?? beyondReach('the store has no switches')
  const before = await switches.turn('rpcThrottle', on, context.call)
  context.out.row([`Previous rpc throttle state : ${before}`])
  return before
}

async function switchExceeding(context: CommandContext, on: boolean): Promise<Value> {
  const before = await quotasOf(context).switchExceeding(on, context.call)
  context.out.row([`Previous exceed throttle quota enabled : ${before}`])
  return before
}
