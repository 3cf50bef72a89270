/**
 * Makes changes of the cells that another cluster sends. HBase: ReplicationSink.replicateEntries.
 *
 * Time stamps, types and tags stay as they are, and so does the order of changes that the same clusters have. Cells of one row and one type that follow each other in an entry are one
 * mutation, as there; here they have one expression of labels, too, since a mutation has only one.
 */

import { EMPTY, equalRange } from '../../../../model/bytes.ts'
import { FAMILY_BYTES_MAX, isRowLength, isStoredType } from '../../../../model/cell.ts'
import { type CellBlock, CellCursor, TAGS_LENGTH_BYTES } from '../../../../model/cell-block.ts'
import { areTags, TagType, tagTypes, tagValues, withoutTags } from '../../../../model/cell-tags.ts'
import { CONSUMED_CLUSTERS_ATTRIBUTE } from '../../../../model/consumed-clusters.ts'
import { HBaseError } from '../../../../model/errors.ts'
import { DEFAULT_MUTATION_OPTIONS, type MutationOptions } from '../../../../model/mutation.ts'
import { isStepEnd, type Steps } from '../../../../model/steps.ts'
import type { TableName } from '../../../../model/table-name.ts'
import { expressionMessage, VISIBILITY_ATTRIBUTE } from '../../../../wire/rpc/label-messages.ts'
import type { LogEntry } from './read-entries.ts'
import { TableChanges } from './table-changes.ts'

/** The family of markers in a log: of flushes, compactions, regions, bulk loads. HBase: WALEdit.METAFAMILY. */
const MARKER_FAMILY = Buffer.from('METAFAMILY')
const BULK_LOAD = Buffer.from('HBASE::BULK_LOAD')
/** The attribute by which HBase's sink marks what it writes. HBase: ReplicationUtils.REPLICATION_ATTR_NAME. */
const REPLICATED_ATTRIBUTE = '__rep__'
const LABEL_TAGS: ReadonlySet<number> = new Set([
  TagType.Visibility,
  TagType.VisibilityFormat,
  TagType.VisibilityText,
])

/** Memory of the changes of one table and the clusters that have them, about: an entry of a hundred bytes may have clusters of its own. */
const CHANGES_BYTES = 2560
const PAID_CHANGES = 64

/** A marker of files that the other cluster has loaded. */
export interface BulkLoadMarker {
  readonly table: TableName
  /** A BulkLoadDescriptor. */
  readonly descriptor: Buffer
}

export interface ReceivedChanges {
  /** Of each table and the clusters that have the changes, in the order in which the request names them first. */
  readonly tables: readonly TableChanges[]
  readonly bulkLoads: readonly BulkLoadMarker[]
  /** True: a cell has the numbers of the other cluster's labels. They are dropped, since other labels have these numbers here. */
  readonly hadLabelNumbers: boolean
}

export interface Receiving {
  /** True where the codec of the request has tags. Other tags are dropped. */
  readonly takesTags: boolean
  /** True where the store has labels: expressions as text then become the attribute of the mutation. Otherwise they stay in their tags. */
  readonly hasLabels: boolean
  /** Takes memory for the request. Throws where there is none. */
  readonly takeMemory: (bytes: number) => void
}

/** Throws DO_NOT_RETRY where the cells are not those that the entries state, or are none that a table may have. */
export function* receivedChanges(
  entries: readonly LogEntry[],
  block: CellBlock,
  receiving: Receiving,
): Steps<ReceivedChanges> {
  const changes = new Changes(block, receiving)
  const { cursor } = changes
  let taken = 0
  for (const entry of entries) {
    changes.begin(entry)
    for (let i = 0; i < entry.cells; i++) {
      // HBase: ArrayIndexOutOfBoundsException with the same words.
      if (!cursor.next()) throw notThatMany(`Expected=${entry.cells}, index=${i}`)
      changes.take()
      if (isStepEnd(taken++)) yield
    }
    if (isStepEnd(taken++)) yield
  }
  if (cursor.next()) throw notThatMany(`${block.end - cursor.cell} bytes of cells belong to no entry`)
  return changes
}

class Changes implements ReceivedChanges {
  readonly cursor: CellCursor
  readonly bulkLoads: BulkLoadMarker[] = []
  hadLabelNumbers = false
  readonly #block: CellBlock
  readonly #receiving: Receiving
  readonly #tables = new Map<TableName, Map<Buffer, TableChanges>>()
  #count = 0
  readonly #options = new Map<Buffer, Map<string | undefined, MutationOptions>>()
  #entry: LogEntry | undefined
  #table: TableChanges | undefined
  // The cell before, in the same entry; row -1: none.
  #row = -1
  #rowLength = 0
  #type = 0
  #expression: string | undefined

  constructor(block: CellBlock, receiving: Receiving) {
    this.cursor = new CellCursor(block)
    this.#block = block
    this.#receiving = receiving
  }

  get tables(): readonly TableChanges[] {
    return [...this.#tables.values()].flatMap((ofTable) => [...ofTable.values()])
  }

  begin(entry: LogEntry): void {
    this.#entry = entry
    this.#table = undefined
    this.#row = -1
  }

  /** Takes the cell at the cursor. */
  take(): void {
    const { cursor } = this
    if (this.#isMarker()) return
    checkCell(cursor)
    const { takesTags } = this.#receiving
    const valueEnd = cursor.valueOffset + cursor.valueLength
    const hasMore = cursor.cell + cursor.cellLength > valueEnd
    const tags = hasMore && takesTags ? tagsOf(cursor) : EMPTY
    const types = tags.length > 0 ? tagTypes(tags) : undefined
    const expression = types?.has(TagType.VisibilityText) === true ? this.#expressionIn(tags) : undefined
    const changes = this.#beginIfOther(expression)
    if (types?.has(TagType.Acl) === true || expression !== undefined) changes.areChecked = true
    const dropped = types === undefined ? undefined : this.#droppedTags(types, expression)
    if (dropped !== undefined) changes.keepWithTags(cursor, withoutTags(tags, dropped))
    else if (hasMore && tags.length === 0) changes.keepWithTags(cursor, EMPTY)
    else changes.keep(cursor)
  }

  #isMarker(): boolean {
    const { buffer, familyOffset, familyLength, qualifierOffset, qualifierLength, valueOffset, valueLength } =
      this.cursor
    if (!isText(MARKER_FAMILY, buffer, familyOffset, familyLength)) return false
    if (isText(BULK_LOAD, buffer, qualifierOffset, qualifierLength)) {
      const descriptor = buffer.subarray(valueOffset, valueOffset + valueLength)
      this.bulkLoads.push({ table: this.#entry!.table, descriptor })
    }
    return true
  }

  #expressionIn(tags: Buffer): string | undefined {
    return this.#receiving.hasLabels ? tagValues(tags, TagType.VisibilityText)[0]!.toString() : undefined
  }

  /** The types of tags that the cell loses; undefined: none. */
  #droppedTags(types: ReadonlySet<number>, expression: string | undefined): ReadonlySet<number> | undefined {
    if (expression !== undefined) return LABEL_TAGS
    if (!types.has(TagType.Visibility) && !types.has(TagType.VisibilityFormat)) return undefined
    this.hadLabelNumbers = true
    return NUMBER_TAGS
  }

  /** The changes of the cell's table, with a new mutation where the cell does not belong to the last one. */
  #beginIfOther(expression: string | undefined): TableChanges {
    const { buffer, rowOffset, rowLength, type } = this.cursor
    const isSame =
      this.#row >= 0 &&
      this.#type === type &&
      this.#expression === expression &&
      equalRange(buffer, this.#row, this.#rowLength, buffer, rowOffset, rowLength)
    this.#row = rowOffset
    this.#rowLength = rowLength
    this.#type = type
    this.#expression = expression
    const changes = (this.#table ??= this.#changesOf(this.#entry!))
    if (!isSame) changes.begin(this.#optionsOf(this.#entry!.clusters, expression))
    return changes
  }

  /**
   * Changes that other clusters have are batches of their own: a region of HBase writes the clusters of a batch's first mutation for all
   * of it. So HBase's sink divides them, too.
   */
  #changesOf({ table, clusters }: LogEntry): TableChanges {
    let ofTable = this.#tables.get(table)
    if (ofTable === undefined) this.#tables.set(table, (ofTable = new Map()))
    let changes = ofTable.get(clusters)
    if (changes !== undefined) return changes
    if (++this.#count % PAID_CHANGES === 0) this.#receiving.takeMemory(PAID_CHANGES * CHANGES_BYTES)
    ofTable.set(clusters, (changes = new TableChanges(table, this.#block)))
    return changes
  }

  /** Mutations of the same clusters and labels share their options. */
  #optionsOf(clusters: Buffer, expression: string | undefined): MutationOptions {
    let known = this.#options.get(clusters)
    if (known === undefined) this.#options.set(clusters, (known = new Map()))
    let options = known.get(expression)
    if (options === undefined) {
      const attributes = new Map([
        [CONSUMED_CLUSTERS_ATTRIBUTE, clusters],
        [REPLICATED_ATTRIBUTE, EMPTY],
      ])
      if (expression !== undefined) attributes.set(VISIBILITY_ATTRIBUTE, expressionMessage(expression))
      known.set(expression, (options = { ...DEFAULT_MUTATION_OPTIONS, attributes }))
    }
    return options
  }
}

const NUMBER_TAGS: ReadonlySet<number> = new Set([TagType.Visibility, TagType.VisibilityFormat])

function isText(text: Buffer, buffer: Buffer, at: number, length: number): boolean {
  return equalRange(text, 0, text.length, buffer, at, length)
}

/** Throws for a cell that no table has. An empty family would delete the whole row. */
function checkCell({ rowLength, familyLength, type }: CellCursor): void {
  if (!isRowLength(rowLength)) throw oddCell(`a row of ${rowLength} bytes`)
  if (familyLength === 0 || familyLength > FAMILY_BYTES_MAX)
    throw oddCell(`a family of ${familyLength} bytes`)
  if (!isStoredType(type)) throw oddCell(`the type ${type}`)
}

function tagsOf(cursor: CellCursor): Buffer {
  const { buffer, tags, tagsOffset } = cursor
  const stated = tagsOffset - TAGS_LENGTH_BYTES
  const isWhole = tags.length > 0 && buffer.readUInt16BE(stated) === tags.length && areTags(tags)
  if (isWhole) return tags
  // A length of no tags.
  if (
    tags.length === 0 &&
    cursor.cell + cursor.cellLength === tagsOffset &&
    buffer.readUInt16BE(stated) === 0
  )
    return EMPTY
  throw oddCell('bytes behind its value that are no tags')
}

function oddCell(has: string): HBaseError {
  return new HBaseError('DO_NOT_RETRY', `a cell of a log has ${has}`)
}

function notThatMany(reason: string): HBaseError {
  return new HBaseError('DO_NOT_RETRY', `the cells are not those of the entries: ${reason}`)
}
