/** Changes and lists the labels in hbase:labels, and their users. HBase: the endpoint of VisibilityController. */

import { compileJavaRegex } from '../../../filter/regex/java-regex.ts'
import { SearchBudget } from '../../../filter/regex/search-budget.ts'
import { HBaseError } from '../../../model/errors.ts'
import { LABEL_QUALIFIER, ORDINAL_MAX, SYSTEM_LABEL } from '../../../model/label-rows.ts'
import { GROUP_PREFIX } from '../../../model/permission.ts'
import { SerialQueue } from '../../../model/serial-queue.ts'
import type { Call } from '../../../store/call.ts'
import type { LabelOutcome, VisibilityLabels } from '../../../store/visibility-labels.ts'
import { accessDenied } from '../access/denials.ts'
import { SERVER, type Subject, type Subjects } from '../access/permissions/subject.ts'
import type { CurrentLabels } from './current-labels.ts'
import type { LabelBook } from './label-book.ts'
import type { LabelsTable } from './labels-table.ts'

const PACKAGE = 'org.apache.hadoop.hbase.security.visibility'

export interface StoredLabelsParts {
  readonly table: LabelsTable
  readonly current: CurrentLabels
  readonly subjects: Subjects
  /** True where there are permissions, too: then only superusers may list labels and users. */
  readonly hasPermissions: boolean
}

export class StoredLabels implements VisibilityLabels {
  readonly #parts: StoredLabelsParts
  readonly #changes = new SerialQueue()

  constructor(parts: StoredLabelsParts) {
    this.#parts = parts
  }

  async areEnforced(): Promise<boolean> {
    return true
  }

  addLabels(labels: readonly Buffer[], call: Call): Promise<LabelOutcome[]> {
    return this.#changing(labels, call, async (book) => {
      let next = book.nextOrdinal
      const added: { ordinal: number; label: Buffer }[] = []
      const outcomes = labels.map((label) => {
        // HBase compares with the labels from before the request: a label that is named twice gets two ordinals.
        if (book.ordinalOf(label.toString()) !== undefined)
          return refusal('LabelAlreadyExistsException', `Label '${label.toString()}' already exists`)
        if (next > ORDINAL_MAX)
          return new HBaseError('DO_NOT_RETRY', `no number is left for the label '${label.toString()}'`)
        added.push({ ordinal: next++, label })
        return undefined
      })
      await this.#parts.table.addLabels(added, call)
      return outcomes
    })
  }

  setAuths(user: Buffer, labels: readonly Buffer[], call: Call): Promise<LabelOutcome[]> {
    return this.#changing(labels, call, async (book) => {
      checkUser(user)
      const found = labels.map((label) => book.ordinalOf(label.toString()))
      await this.#parts.table.setAuths(user, present(found), call)
      return found.map((ordinal, index) =>
        ordinal === undefined
          ? refusal('InvalidLabelException', `Label '${labels[index]!.toString()}' doesn't exists`)
          : undefined,
      )
    })
  }

  clearAuths(user: Buffer, labels: readonly Buffer[], call: Call): Promise<LabelOutcome[]> {
    const { subjects, hasPermissions } = this.#parts
    const subject = subjectOf(subjects, call)
    if (hasPermissions && !subject.isSuperuser) {
      const denied = accessDenied(`User '${subject.user ?? 'null'} is not authorized to perform this action.`)
      return Promise.resolve(labels.map(() => denied))
    }
    return this.#changing(labels, call, async (book) => {
      const name = user.toString()
      const auths = new Set(book.authsOf(name))
      const found = labels.map((label) => {
        const ordinal = book.ordinalOf(label.toString())
        return ordinal !== undefined && auths.has(ordinal) ? ordinal : undefined
      })
      await this.#parts.table.clearAuths(user, present(found), call)
      return found.map((ordinal, index) =>
        ordinal === undefined
          ? refusal(
              'InvalidLabelException',
              `Label '${labels[index]!.toString()}' is not set for the user ${name}`,
            )
          : undefined,
      )
    })
  }

  /** HBase reads its table with the label `system`: a user without that label gets an empty list. */
  async auths(user: Buffer, call: Call): Promise<Buffer[]> {
    const subject = this.#visibleTo(call)
    const book = await this.#parts.current.get()
    if (!book.hasSystemLabel(subject)) return []
    const name = user.toString()
    // With an empty name HBase returns every label.
    const labels =
      name === '' || name === GROUP_PREFIX
        ? book.labels
        : book.authsOf(name).flatMap((ordinal) => book.labelOf(ordinal) ?? [])
    return labels.map((label) => Buffer.from(label))
  }

  async listLabels(pattern: string | undefined, call: Call): Promise<Buffer[]> {
    this.#visibleTo(call)
    const regex = pattern === undefined ? undefined : compileJavaRegex(pattern, 0)
    const budget = new SearchBudget()
    const book = await this.#parts.current.get()
    return book.labels
      .filter((label) => label !== SYSTEM_LABEL && (regex?.matches(label, budget) ?? true))
      .map((label) => Buffer.from(label))
  }

  #visibleTo(call: Call): Subject {
    const { subjects, hasPermissions } = this.#parts
    const subject = subjectOf(subjects, call)
    if (hasPermissions && !subject.isSuperuser) throw denied(subject)
    return subject
  }

  /** Has the labels read again, also after a failed change, which may have been made. Refuses each label where the user may not change labels. */
  #changing(
    labels: readonly Buffer[],
    call: Call,
    change: (book: LabelBook) => Promise<LabelOutcome[]>,
  ): Promise<LabelOutcome[]> {
    const { current, subjects } = this.#parts
    return this.#changes.run(async () => {
      const subject = subjectOf(subjects, call)
      const book = await current.get()
      if (!book.hasSystemLabel(subject)) return labels.map(() => denied(subject))
      try {
        return await change(book)
      } finally {
        current.changed()
      }
    })
  }
}

function subjectOf(subjects: Subjects, { isOwn, principal }: Call): Subject {
  return isOwn ? SERVER : subjects.of(principal?.user)
}

function present(ordinals: readonly (number | undefined)[]): number[] {
  return ordinals.filter((ordinal) => ordinal !== undefined)
}

/** Refuses a user with the name of the column that contains the label: the user's cell would overwrite it. */
function checkUser(user: Buffer): void {
  if (user.length === 0 || user.equals(LABEL_QUALIFIER))
    throw new HBaseError('ILLEGAL_ARGUMENT', 'the user has no name that can be kept')
}

function refusal(javaClass: string, message: string): HBaseError {
  return new HBaseError('DO_NOT_RETRY', `${PACKAGE}.${javaClass}: ${message}`)
}

function denied({ user }: Subject): HBaseError {
  return accessDenied(`User '${user ?? 'null'}' is not authorized to perform this action.`)
}
