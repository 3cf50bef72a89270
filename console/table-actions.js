import { change } from './api.js'
import { toBase64, unescaped } from './bytes.js'
import { confirmed } from './confirm.js'
import { h, problem, showMessage } from './dom.js'

/** The buttons that flush, compact and split a table, or those of its regions that are selected. */
export class TableActions {
  /** @type {readonly string[]} encoded names; empty: the whole table */
  #selected = []
  #table
  #failed = h('div', {})
  #target = h('span', { class: 'hint', role: 'status' })
  /** @type {readonly (readonly [string, HTMLButtonElement])[]} */
  #buttons
  /** @type {HTMLElement} */
  element

  /** @param {{ name: string, can: { flush: boolean, compact: boolean, split: boolean } }} shown */
  constructor({ name, can }) {
    this.#table = name
    const all = /** @type {const} */ ([
      ['Flush', can.flush, () => this.#flush()],
      ['Compact', can.compact, () => this.#compact(false)],
      ['Major compact', can.compact, () => this.#compact(true)],
      ['Split', can.split, () => this.#split()],
    ])
    this.#buttons = all
      .filter(([, isPossible]) => isPossible)
      .map(([text, , work]) => [text, h('button', { type: 'button', onclick: work }, text)])
    const buttons = this.#buttons.map(([, button]) => button)
    this.element = h(
      'div',
      { class: 'table-actions' },
      h('div', { class: 'actions', role: 'group', 'aria-label': 'Actions' }, buttons, this.#target),
      this.#failed,
    )
    this.select([])
  }

  /** @param {readonly string[]} selected encoded names of regions */
  select(selected) {
    this.#selected = selected
    for (const [text, button] of this.#buttons) button.setAttribute('aria-label', `${text} ${this.#name}`)
    this.#target.textContent =
      selected.length === 0
        ? 'on the whole table, or on the regions that you select below'
        : `on ${selected.length === 1 ? 'the selected region' : `the ${selected.length} selected regions`}`
  }

  get #name() {
    const [first] = this.#selected
    if (first === undefined) return this.#table
    return this.#selected.length === 1 ? `region ${first}` : `${this.#selected.length} regions`
  }

  /** @param {string} done @param {Record<string, unknown>} asked */
  async #run(done, asked) {
    const name = this.#name
    const targets = this.#selected.length === 0 ? [{}] : this.#selected.map((region) => ({ region }))
    try {
      for (const target of targets) await change({ ...asked, table: this.#table, ...target })
      showMessage(`${name}: ${done}`)
      this.#failed.replaceChildren()
      dispatchEvent(new HashChangeEvent('hashchange'))
    } catch (error) {
      this.#failed.replaceChildren(problem(error))
    }
  }

  async #flush() {
    const words = 'It writes memstores to store files.'
    if ((await confirmed(`Flush ${this.#name}?`, words, 'Flush')) === undefined) return
    await this.#run('flushed', { kind: 'flush' })
  }

  /** @param {boolean} major */
  async #compact(major) {
    const words = major
      ? 'It rewrites all store files, which takes time and disk space.'
      : 'It merges small store files into larger ones.'
    const title = `${major ? 'Major compaction of' : 'Compact'} ${this.#name}?`
    if ((await confirmed(title, words, 'Compact')) === undefined) return
    await this.#run('compaction requested', { kind: 'compact', major })
  }

  async #split() {
    const label = this.#selected.length > 1 ? undefined : 'Split row (\\xHH for a byte); empty: the middle'
    const answer = await confirmed(`Split ${this.#name}?`, 'Writes to it wait for a moment.', 'Split', label)
    if (answer === undefined) return
    let at
    try {
      at = answer.text === '' ? undefined : toBase64(unescaped(answer.text))
    } catch (error) {
      this.#failed.replaceChildren(problem(error))
      return
    }
    await this.#run('split requested', { kind: 'split', ...(at !== undefined && { at }) })
  }
}
