/**
 * The health of a server as one user may read it. With --authorization the names of damaged files are for readers whose lists have
 * their table; sentences may name regions and files, so that administrators alone read them. Everybody else reads their number.
 */

import { allTables } from '../../../gateway/catalog/listed-tables.ts'
import { counted } from '../../../model/counted.ts'
import type { Call } from '../../../store/call.ts'
import type { Store, StoreDamage } from '../../../store/store.ts'
import { isAdmin } from './administrators.ts'
import type { Health } from './health.ts'
import type { ServerFacts } from './server-facts.ts'

/** Damaged files that one answer names. */
const DAMAGE_SHOWN_MAX = 20

interface Reader {
  readonly call: Call
  readonly facts: Pick<ServerFacts, 'console' | 'life'>
}

export async function healthSeen(health: Health, reader: Reader): Promise<Health> {
  const { damage, troubles, insecure, ...more } = health
  const [seen, isFaultReported] = [
    await damageSeen(damage ?? [], reader),
    await readsSentences(health, reader),
  ]
  const shown = (sentences: readonly string[], noun: string): readonly string[] =>
    isFaultReported ? sentences : [`${counted(sentences.length, noun)}: an administrator reads more here`]
  return {
    ...more,
    ...(seen.length > 0 && { damage: seen.slice(0, DAMAGE_SHOWN_MAX) }),
    ...(hasAny(troubles) && { troubles: shown(troubles, 'trouble') }),
    ...(hasAny(insecure) && { insecure: shown(insecure, 'insecure setting') }),
  }
}

function hasAny(sentences: readonly string[] | undefined): sentences is readonly string[] {
  return sentences !== undefined && sentences.length > 0
}

async function damageSeen(
  damage: readonly StoreDamage[],
  { call, facts }: Reader,
): Promise<readonly StoreDamage[]> {
  if (damage.length === 0 || facts.console?.deciding === undefined) return damage
  const names = await tablesSeen(facts.life.store, call)
  return damage.filter(({ table }) => names.has(table))
}

/** A store that cannot tell them now must not keep a probe from its answer. */
async function tablesSeen(store: Store | undefined, call: Call): Promise<ReadonlySet<string>> {
  const tables = store === undefined ? [] : await allTables(store.catalog, call, 'names').catch(() => [])
  return new Set(tables.map(({ name }) => name))
}

/** A cluster keeps its own files and regions: the sentences of a server in front of it name none. */
async function readsSentences({ troubles, insecure }: Health, { call, facts }: Reader): Promise<boolean> {
  if (facts.console?.deciding !== 'Tidegate' || !(hasAny(troubles) || hasAny(insecure))) return true
  const { store } = facts.life
  return store !== undefined && (await isAdmin(store, call).catch(() => false))
}
