/**
 * The health of a server, as far as one user may see it. With --authorization a user sees the damaged files of tables that he may list.
 * Sentences may name regions and files, so only administrators read them; other users get their number.
 */

import { allTables } from '../../../gateway/catalog/listed-tables.ts'
import { counted } from '../../../model/counted.ts'
import type { Call } from '../../../store/call.ts'
import type { Store, StoreDamage } from '../../../store/store.ts'
import { isAdmin } from './administrators.ts'
import type { Health } from './health.ts'
import type { ServerFacts } from './server-facts.ts'

/** The most damaged files that one answer names. */
const DAMAGE_SHOWN_MAX = 20

interface Reader {
  readonly call: Call
  readonly facts: Pick<ServerFacts, 'console' | 'life'>
}

export async function visibleHealth(health: Health, reader: Reader): Promise<Health> {
  const { damage, troubles, insecure, ...more } = health
  const [seen, isFaultReported] = [
    await visibleDamage(damage ?? [], reader),
    await mayReadSentences(health, reader),
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

async function visibleDamage(
  damage: readonly StoreDamage[],
  { call, facts }: Reader,
): Promise<readonly StoreDamage[]> {
  if (damage.length === 0 || facts.console?.deciding === undefined) return damage
  const names = await visibleTables(facts.life.store, call)
  return damage.filter(({ table }) => names.has(table))
}

/** The tables that the user may list; none where the store fails to list them, since a probe must still get its answer. */
export async function visibleTables(store: Store | undefined, call: Call): Promise<ReadonlySet<string>> {
  const tables = store === undefined ? [] : await allTables(store.catalog, call, 'names').catch(() => [])
  return new Set(tables.map(({ name }) => name))
}

/** True where the user may read sentences. Those of a server in front of a cluster name no files and regions, so every user may. */
async function mayReadSentences({ troubles, insecure }: Health, { call, facts }: Reader): Promise<boolean> {
  if (facts.console?.deciding !== 'Tidegate' || !(hasAny(troubles) || hasAny(insecure))) return true
  const { store } = facts.life
  return store !== undefined && (await isAdmin(store, call).catch(() => false))
}
