import type { Chores, Switches, SwitchName } from '../../store/upkeep.ts'
import { booleanOf, tableOf } from '../arguments/argument-values.ts'
import type { CommandContext, ShellCommand } from '../context/command.ts'
import { beyondReach, refuse } from '../output/shell-error.ts'
import { className, inspect, RubyHash, stringName, textOf, type Value } from '../ruby/values.ts'

/** Between two looks at the changes of peers. HBase: peer_modification_switch's client. */
const DRAIN_MS = 1000

export const SWITCH_COMMANDS: readonly ShellCommand[] = [
  ...turning('balance_switch', 'balancer', 'Previous balancer state : '),
  ...turning('normalizer_switch', 'normalizer'),
  ...turning('catalogjanitor_switch', 'catalogJanitor'),
  ...turning('cleaner_chore_switch', 'cleanerChore'),
  ...turning('snapshot_cleanup_switch', 'snapshotCleanup', 'Previous snapshot cleanup state : '),
  { name: 'peer_modification_switch', min: 1, max: 2, run: peerModificationSwitch },
  ...showing('peer_modification_enabled', 'peerModification'),
  ...showing('balancer_enabled', 'balancer'),
  ...showing('normalizer_enabled', 'normalizer'),
  ...showing('catalogjanitor_enabled', 'catalogJanitor'),
  ...showing('cleaner_chore_enabled', 'cleanerChore'),
  ...showing('snapshot_cleanup_enabled', 'snapshotCleanup'),
  { name: 'splitormerge_switch', min: 2, max: 2, run: splitOrMergeSwitch },
  { name: 'splitormerge_enabled', min: 1, max: 1, run: splitOrMergeEnabled },
  { name: 'balancer', min: 0, max: 1, run: balancer },
  { name: 'normalize', min: 0, max: undefined, run: normalize },
  { name: 'catalogjanitor_run', min: 0, max: 0, run: catalogJanitorRun },
  { name: 'cleaner_chore_run', min: 0, max: 0, run: cleanerChoreRun },
]

function switchesOf({ store }: CommandContext): Switches {
  return store.upkeep.switches ?? beyondReach('the store has no switches')
}

function choresOf({ store }: CommandContext): Chores {
  return store.upkeep.chores ?? beyondReach('the store has no chores')
}

/** A command that turns a switch and prints its previous state after `words`. */
function turning(name: string, switchName: SwitchName, words = ''): ShellCommand[] {
  const run = async (context: CommandContext, [on]: readonly Value[]): Promise<Value> => {
    const before = await switchesOf(context).turn(switchName, booleanOf(on), context.call)
    context.out.row([`${words}${before}`])
    return before
  }
  return [{ name, min: 1, max: 1, run }]
}

/** A command that prints whether a switch is on. */
function showing(name: string, switchName: SwitchName): ShellCommand[] {
  const run = async (context: CommandContext): Promise<Value> => {
    const is = await switchesOf(context).isOn(switchName, context.call)
    context.out.row([String(is)])
    return is
  }
  return [{ name, min: 0, max: 0, run }]
}

/** With a second `true` it also waits until the changes of peers that were asked for before are made. */
async function peerModificationSwitch(
  context: CommandContext,
  [on, drains = false]: readonly Value[],
): Promise<Value> {
  const { store, out, call } = context
  const before = await switchesOf(context).turn('peerModification', booleanOf(on), call)
  while (booleanOf(drains) && ((await store.upkeep.peers?.peerChanges(call)) ?? []).length > 0)
    await context.sleep(DRAIN_MS)
  out.row([`Previous peer modification state : ${before}`])
  return before
}

function splitOrMerge(stated: Value): SwitchName {
  const type = textOf(stated)
  if (type === 'SPLIT') return 'split'
  return type === 'MERGE' ? 'merge' : refuse('only SPLIT or MERGE accepted for type!')
}

async function splitOrMergeSwitch(context: CommandContext, [type, on]: readonly Value[]): Promise<Value> {
  const before = await switchesOf(context).turn(splitOrMerge(type!), booleanOf(on), context.call)
  context.out.row([String(before)])
  return before
}

async function splitOrMergeEnabled(context: CommandContext, [type]: readonly Value[]): Promise<Value> {
  const is = await switchesOf(context).isOn(splitOrMerge(type!), context.call)
  context.out.row([String(is)])
  return is
}

async function balancer(context: CommandContext, [force = null]: readonly Value[]): Promise<Value> {
  const isForced = textOf(force) === 'force'
  if (force !== null && !isForced) refuse(`Invalid argument ${textOf(force)}.`)
  const request = { dryRun: false, ignoresRegionsInTransition: isForced }
  const { ran } = await choresOf(context).balance(request, context.call)
  context.out.row([String(ran)])
  return ran
}

async function normalize(context: CommandContext, args: readonly Value[]): Promise<Value> {
  const options = new RubyHash().merged(
    args.reduce<RubyHash>((all, each) => {
      if (!(each instanceof RubyHash))
        refuse(`${className(each)} of ${inspect(each)} is not of Hash or String type`)
      return all.merged(each)
    }, new RubyHash()),
  )
  const one = options.take('TABLE_NAME')
  const many = options.take('TABLE_NAMES') ?? []
  if (!Array.isArray(many)) refuse('TABLE_NAMES must be of type Array')
  const [pattern, namespace] = [options.take('REGEX'), options.take('NAMESPACE')]
  if (options.size > 0) refuse(`Unrecognized argument ${inspect(options)}`)
  const ran = await choresOf(context).normalize(
    {
      tables: [...(one === undefined ? [] : [one]), ...many].map((each) => tableOf(each)),
      pattern: stringName(pattern),
      namespace: stringName(namespace),
    },
    context.call,
  )
  context.out.row([String(ran)])
  return ran
}

async function catalogJanitorRun(context: CommandContext): Promise<Value> {
  return BigInt(await choresOf(context).scanCatalog(context.call))
}

async function cleanerChoreRun(context: CommandContext): Promise<Value> {
  return choresOf(context).clean(context.call)
}
