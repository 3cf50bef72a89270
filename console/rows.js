/** The page of rows. The address has the query and the view, so that users can bookmark and send it. */

import { get, Refusal } from './api.js'
import { copyMenu } from './copy-menu.js'
import { FORMS } from './decode.js'
import { h, problem } from './dom.js'
import { newCell } from './new-cell.js'
import { agree, gridOfRows } from './row-grid.js'
import { listOfRows } from './row-list.js'
import { askedOf, parametersOf, queryForm, readOf } from './row-query.js'
import { count } from './words.js'

const VIEWS = /** @type {const} */ (['list', 'grid'])

/** @param {import('./app.js').Shown} shown */
export function showRows({ main, server, names, query, signal }) {
  const [table = ''] = names
  const asked = askedOf(query)
  const results = h('div', { class: 'results' })
  const question = queryForm(table, asked, query)
  const form = formSelect()
  /** The view that the user chose; undefined: the one that suits the page. */
  let chosen = VIEWS.find((view) => view === query.get('view'))
  /** @type {any} */
  let page
  const draw = () => {
    if (page === undefined) return
    const view = chosen ?? (agree(page.rows) ? 'grid' : 'list')
    for (const button of views.querySelectorAll('button'))
      button.setAttribute('aria-pressed', String(button.dataset['view'] === view))
    const around = {
      table,
      server,
      read: () => readOf(table, asked),
      reload: () => load(undefined),
      parameters: () => parametersOf(table, asked, undefined),
    }
    const value = /** @type {import('./decode.js').Form} */ (form.value)
    const isEmpty = page.rows.length === 0 && page.gaps.length === 0
    const shown = view === 'grid' ? gridOfRows(page, value, around) : listOfRows(page, value, around)
    results.replaceChildren(
      isEmpty ? h('p', {}, 'No rows found.') : shown,
      ...footer(page, () => load(page.next)),
    )
  }
  /** @param {string | undefined} next */
  const load = async (next) => {
    results.setAttribute('aria-busy', 'true')
    try {
      page = await get('rows', parametersOf(table, asked, next), signal)
      draw()
      if (next !== undefined) results.scrollIntoView()
    } catch (error) {
      if (signal.aborted) return
      results.replaceChildren(problem(error))
      // The form marks the wrong character of a filter.
      if (error instanceof Refusal && error.status === 400) question.open = true
    }
    results.removeAttribute('aria-busy')
  }
  const choose = (/** @type {(typeof VIEWS)[number]} */ view) => {
    chosen = view
    query.set('view', view)
    // Without the event of a changed address, which would read the rows again.
    history.replaceState(null, '', `#/rows/${encodeURIComponent(table)}?${query}`)
    draw()
  }
  const views = viewSwitch(choose)
  form.addEventListener('change', draw)
  main.append(
    h(
      'div',
      { class: 'title' },
      h('h1', {}, `Rows of ${table}`),
      h('a', { href: `#/tables/${encodeURIComponent(table)}` }, 'Table'),
    ),
    question,
    h(
      'div',
      { class: 'bar' },
      views,
      h('label', { for: 'form' }, 'Show values as'),
      form,
      copyMenu(server, () => readOf(table, asked)),
    ),
    results,
    ...(server.writes ? [newCell(table, () => load(undefined))] : []),
  )
  return load(undefined)
}

/** @param {any} page @param {() => Promise<void>} showNext */
function footer(page, showNext) {
  const words = `${count(page.rows.length)} ${page.rows.length === 1 ? 'row' : 'rows'}, ${count(page.examined)} scanned`
  const status = h(
    'p',
    { role: 'status' },
    words,
    page.next === undefined ? ', end of the table or range' : '',
  )
  if (page.next === undefined) return [status]
  return [status, h('button', { type: 'button', id: 'next', onclick: showNext }, 'Next page')]
}

/** @param {(view: (typeof VIEWS)[number]) => void} choose */
function viewSwitch(choose) {
  const buttons = VIEWS.map((view) =>
    h(
      'button',
      {
        type: 'button',
        class: 'quiet',
        'data-view': view,
        'aria-pressed': 'false',
        onclick: () => choose(view),
      },
      view === 'list' ? 'List' : 'Grid',
    ),
  )
  return h('div', { class: 'switch', role: 'group', 'aria-label': 'View' }, buttons)
}

function formSelect() {
  return h(
    'select',
    { id: 'form' },
    FORMS.map(([value, words]) => h('option', { value }, words)),
  )
}
