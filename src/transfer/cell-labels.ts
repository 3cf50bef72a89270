/**
 * Translates the labels of cells for another store. A cell names its labels by ordinals, and each store assigns its own ordinals, so
 * the same number is another label there. Each ordinal becomes that of the label with the same name. A cell with labels that the
 * destination does not have is not copied at all.
 */

import { toStringBinary } from '../model/bytes.ts'
import { CellCursor } from '../model/cell-block.ts'
import { hasTag, TagType } from '../model/cell-tags.ts'
import { LABELS_TABLE, SYSTEM_LABEL } from '../model/label-rows.ts'
import type { TableName } from '../model/table-name.ts'
import { withOrdinals } from '../model/visibility.ts'
import type { Call } from '../store/call.ts'
import type { Store } from '../store/store.ts'
import { type LabelNames, labelNames, obeyedLabels } from './label-names.ts'
import { type Part, rawPieces } from './raw-cells.ts'

/** The most distinct tags to remember. */
const KNOWN_MAX = 10_000

export class CellLabels {
  readonly #source: LabelNames
  readonly #destination: LabelNames
  readonly #isFolder: boolean
  readonly #known = new Map<string, Buffer>()

  /** `isFolder`: the destination is a folder without a server. */
  constructor(source: LabelNames, destination: LabelNames, isFolder: boolean = false) {
    this.#isFolder = isFolder
    this.#source = source
    this.#destination = destination
  }

  /** The translation between two stores; undefined where one of them carries no tags, or the table is the one of labels itself. Throws as reads do. */
  static async between(
    { source, destination }: Readonly<Record<'source' | 'destination', Store>>,
    from: TableName,
    call: Call,
  ): Promise<CellLabels | undefined> {
    const carries = source.carriesTags === true && destination.carriesTags === true
    if (!carries || from === LABELS_TABLE) return undefined
    const isFolder = destination.upkeep.labels === undefined
    return new CellLabels(await labelNames(source, call), await obeyedLabels(destination, call), isFolder)
  }

  /** True where a cell of the source may have labels that the destination does not have. */
  get mayRefuse(): boolean {
    const { names, state } = this.#source
    const { ordinals } = this.#destination
    return state === 'denied' || [...names.values()].some((name) => !ordinals.has(name))
  }

  /** The tags of the present cell for the destination; undefined: unchanged. Throws an Error for a label that the destination does not have. */
  tagsOf({ buffer, tagsOffset, tagsBytes, tags }: CellCursor): Buffer | undefined {
    if (!hasTag(buffer, tagsOffset, tagsBytes, TagType.Visibility)) return undefined
    const key = tags.toString('latin1')
    const known = this.#known.get(key)
    if (known !== undefined) return known
    const own = withOrdinals(tags, (ordinal) => this.#ordinalFor(ordinal))
    if (this.#known.size >= KNOWN_MAX) this.#known.clear()
    this.#known.set(key, own)
    return own
  }

  #ordinalFor(ordinal: number): number {
    const { names, state, reason } = this.#source
    const name = names.get(ordinal)
    if (name === undefined)
      throw new Error(`${FOUND}, whose names the source does not show${whyNot(state, reason)}`)
    const own = this.#destination.ordinals.get(name)
    if (own !== undefined) return own
    const { state: there, reason: why } = this.#destination
    if (there === 'none' && this.#isFolder)
      throw new Error(
        `${FOUND} ('${shown(name)}'), and the folder has no ${LABELS_TABLE}: every user would see these cells. Copy the labels first: tidegate copy SOURCE DESTINATION --table ${LABELS_TABLE} --create`,
      )
    if (there === 'none')
      throw new Error(
        `${FOUND} ('${shown(name)}'), and the destination obeys none: every user would see these cells. Start it with --visibility-labels (an HBase: with its VisibilityController), and add the labels`,
      )
    if (there === 'denied')
      throw new Error(
        `${FOUND} ('${shown(name)}'), whose names the destination does not show${whyNot(there, why)}`,
      )
    throw new Error(
      `cells have the label '${shown(name)}', which the destination does not have, or does not show the user: add it there, or copy as a superuser`,
    )
  }
}

const FOUND = 'cells have visibility labels'

function shown(name: string): string {
  return toStringBinary(Buffer.from(name, 'latin1'))
}

function whyNot(state: LabelNames['state'], reason: string | undefined): string {
  if (state === 'none') return `: it has no table ${LABELS_TABLE}`
  const because = reason === undefined ? '' : ` (${reason})`
  return `${because}: copy as a superuser of it, or as a user with the label ${SYSTEM_LABEL}`
}

/** Throws where a cell of the part has labels that cannot be translated. It reads the whole part before anything is written. */
export async function checkLabels(
  labels: CellLabels,
  source: Store,
  table: TableName,
  part: Part,
  call: Call,
): Promise<void> {
  for await (const piece of rawPieces(source, table, part, call, true)) {
    try {
      const cursor = new CellCursor(piece.results.cells)
      while (cursor.next()) if (cursor.tagsBytes > 0) labels.tagsOf(cursor)
    } finally {
      piece.release()
    }
  }
}
