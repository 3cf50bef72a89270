/** Tags in a form in which those of two stores can be compared: labels by their names, since each store numbers its labels itself. */

import { EMPTY } from '../../model/bytes.ts'
import type { CellCursor } from '../../model/cell-block.ts'
import { hasTag, TagCursor, TagType, withoutTags } from '../../model/cell-tags.ts'
import { LABELS_TABLE } from '../../model/label-rows.ts'
import type { TableName } from '../../model/table-name.ts'
import { withOrdinals } from '../../model/visibility.ts'
import type { Call } from '../../store/call.ts'
import type { Store } from '../../store/store.ts'
import { type LabelNames, labelNames } from '../label-names.ts'

/** The most distinct tags to remember. */
const KNOWN_MAX = 10_000
const FORMAT: ReadonlySet<number> = new Set([TagType.VisibilityFormat])
const LABELS: ReadonlySet<number> = new Set([TagType.Visibility, TagType.VisibilityFormat])

export const TAGS_NOT_COMPARED =
  'tags of cells (a TTL, labels or permissions of their own) are not compared: one of both does not show them'
export const LABELS_NOT_COMPARED =
  'cells have labels whose names one of both does not show to this user: those labels are not compared'

interface TagsForm {
  /** With labels by the numbers that both sides share. */
  readonly all: Buffer
  /** Without labels. */
  readonly others: Buffer
  /** `unnamed`: the store does not show the names of all of them. */
  readonly labels: 'none' | 'named' | 'unnamed'
}

const NO_TAGS: TagsForm = { all: EMPTY, others: EMPTY, labels: 'none' }

export class ComparedTags {
  /** True: tags of the same bytes are the same tags. */
  readonly areBytes: boolean
  readonly #source: (tags: Buffer) => TagsForm
  readonly #target: (tags: Buffer) => TagsForm
  readonly #omits: (omission: string) => void

  private constructor(
    areBytes: boolean,
    source: (tags: Buffer) => TagsForm,
    target: (tags: Buffer) => TagsForm,
    omits: (omission: string) => void,
  ) {
    this.areBytes = areBytes
    this.#source = remembered(source)
    this.#target = remembered(target)
    this.#omits = omits
  }

  /** Reads the names of both stores' labels. `omits` gets a sentence about tags that are not compared. Throws as reads do. */
  static async between(
    source: Store,
    target: Store,
    table: TableName,
    call: Call,
    omits: (omission: string) => void,
  ): Promise<ComparedTags> {
    if (source.carriesTags !== true || target.carriesTags !== true) {
      omits(TAGS_NOT_COMPARED)
      return new ComparedTags(
        true,
        () => NO_TAGS,
        () => NO_TAGS,
        omits,
      )
    }
    if (table === LABELS_TABLE) return new ComparedTags(true, plainForm, plainForm, omits)
    const numbers = new SharedNumbers()
    const [ours, theirs] = [await labelNames(source, call), await labelNames(target, call)]
    return new ComparedTags(
      ours.state === 'none' && theirs.state === 'none',
      (tags) => labelledForm(tags, ours, numbers),
      (tags) => labelledForm(tags, theirs, numbers),
      omits,
    )
  }

  /** Whether the present cells have the same tags, as far as both sides show them. */
  areSame(ours: CellCursor, theirs: CellCursor): boolean {
    const source = ours.tagsBytes === 0 ? NO_TAGS : this.#source(ours.tags)
    const target = theirs.tagsBytes === 0 ? NO_TAGS : this.#target(theirs.tags)
    const areUnnamed = source.labels === 'unnamed' || target.labels === 'unnamed'
    const haveLabels = source.labels !== 'none' && target.labels !== 'none'
    if (!areUnnamed || !haveLabels) return source.all.equals(target.all)
    this.#omits(LABELS_NOT_COMPARED)
    return source.others.equals(target.others)
  }
}

/** Gives each label a number by its name. */
class SharedNumbers {
  readonly #numbers = new Map<string, number>()

  of(name: string): number {
    let number = this.#numbers.get(name)
    if (number === undefined) {
      number = this.#numbers.size + 1
      this.#numbers.set(name, number)
    }
    return number
  }
}

function plainForm(tags: Buffer): TagsForm {
  return { all: sortedTags(tags), others: EMPTY, labels: 'none' }
}

function labelledForm(tags: Buffer, { names }: LabelNames, numbers: SharedNumbers): TagsForm {
  if (!hasTag(tags, 0, tags.length, TagType.Visibility)) return plainForm(tags)
  let labels: TagsForm['labels'] = 'named'
  const shared = withOrdinals(tags, (ordinal) => {
    const name = names.get(ordinal)
    if (name === undefined) labels = 'unnamed'
    return numbers.of(name ?? '')
  })
  return { all: sortedTags(shared), others: sortedTags(withoutTags(tags, LABELS)), labels }
}

function remembered(form: (tags: Buffer) => TagsForm): (tags: Buffer) => TagsForm {
  const known = new Map<string, TagsForm>()
  return (tags) => {
    const key = tags.toString('latin1')
    let formed = known.get(key)
    if (formed === undefined) {
      formed = form(tags)
      if (known.size >= KNOWN_MAX) known.clear()
      known.set(key, formed)
    }
    return formed
  }
}

/** The order of tags has no meaning, nor has the tag that states how labels are sorted. */
function sortedTags(tags: Buffer): Buffer {
  const cursor = new TagCursor(withoutTags(tags, FORMAT))
  const each: Buffer[] = []
  while (cursor.next()) each.push(cursor.buffer.subarray(cursor.start, cursor.end))
  return Buffer.concat(each.toSorted((a, b) => a.compare(b)))
}
