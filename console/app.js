/** Starts the console: shows the page that the address names, and handles keyboard shortcuts and the colour theme. */

import { get, NoAnswer, Refusal } from './api.js'
import { h, problem } from './dom.js'
import { drawNavigation, markPage } from './navigation.js'
import { LINKS, PAGES } from './pages.js'

/**
 * @typedef {object} Server the answer of `api/overview`, as it was when the page was opened
 * @property {string} version
 * @property {string} store
 * @property {boolean} writes
 * @property {number} [slowLogMs]
 * @property {string} [user]
 * @property {readonly { name: string, port: number, connections: number }[]} doors
 *
 * @typedef {object} Shown
 * @property {HTMLElement} main
 * @property {Server} server
 * @property {readonly string[]} names the parts of the address after the page's name, decoded
 * @property {URLSearchParams} query
 * @property {AbortSignal} signal aborted when another page is shown
 *
 * @typedef {(shown: Shown) => Promise<void> | void} Page
 */

/** @param {string} id */
function byId(id) {
  return /** @type {HTMLElement} */ (document.getElementById(id))
}

let leave = new AbortController()

async function show() {
  leave.abort()
  leave = new AbortController()
  const { signal } = leave
  const [path = '', search = ''] = location.hash.replace(/^#\/?/, '').split('?')
  const [name = '', ...encoded] = path.split('/')
  const main = byId('main')
  markPage(name)
  const page = Object.hasOwn(PAGES, name) ? PAGES[name] : undefined
  try {
    const server = await get('overview', [], signal)
    byId('user').textContent = server.user ?? ''
    if (page === undefined) throw new Error('No such page.')
    main.replaceChildren()
    const names = encoded.map(decodeURIComponent)
    await page({ main, server, names, query: new URLSearchParams(search), signal })
    const heading = main.querySelector('h1')?.textContent ?? 'Tidegate'
    document.title = `${heading} - Tidegate`
  } catch (error) {
    if (signal.aborted) return
    if (error instanceof Refusal && error.code === 'STARTING') return showStart(main, error, signal)
    main.replaceChildren(h('h1', {}, 'This page cannot be shown'), problem(error))
    const again = h('button', { type: 'button', onclick: show }, 'Try again')
    main.append(again)
    // A server that is started again answers soon.
    if (error instanceof NoAnswer) setTimeout(() => void (signal.aborted || show()), 2000)
  }
}

/**
 * How far the start of the server has come, until the page can be shown.
 *
 * @param {HTMLElement} main
 * @param {Refusal} refusal
 * @param {AbortSignal} signal
 */
function showStart(main, { message, progress }, signal) {
  const bar = progress && h('progress', { max: 100, value: progress.percent, 'aria-label': message })
  main.replaceChildren(h('h1', {}, 'The server starts'), h('p', { role: 'status' }, message), bar ?? '')
  setTimeout(() => void (signal.aborted || show()), 1000)
}

const THEMES = /** @type {const} */ (['auto', 'light', 'dark'])

/** @param {string} theme */
function setTheme(theme) {
  document.documentElement.dataset['theme'] = theme
  const button = byId('theme')
  button.textContent = theme === 'dark' ? '☾' : theme === 'light' ? '☀' : '◐'
  button.setAttribute('aria-label', `Theme: ${theme === 'auto' ? 'system' : theme}`)
  try {
    localStorage.setItem('tidegate-theme', theme)
  } catch {
    // Some browsers forbid local storage. The theme then lasts until the page is closed.
  }
}

function storedTheme() {
  try {
    return localStorage.getItem('tidegate-theme') ?? 'auto'
  } catch {
    return 'auto'
  }
}

function showHelp() {
  const keys = [
    ...LINKS.map(({ key, title }) => [`g ${key}`, title]),
    ['/', 'Go to the first field'],
    ['n', 'Next page of rows'],
    ['← →', 'In a plot: the values of another time'],
    ['?', 'Show this list'],
    ['Esc', 'Close this list'],
  ]
  /** @type {HTMLDialogElement} */
  const dialog = h(
    'dialog',
    { 'aria-labelledby': 'help-title', onclose: () => dialog.remove() },
    h('h2', { id: 'help-title' }, 'Keyboard shortcuts'),
    h(
      'dl',
      { class: 'keys' },
      keys.flatMap(([key, about]) => [h('dt', {}, h('kbd', {}, key)), h('dd', {}, about)]),
    ),
    h('form', { method: 'dialog' }, h('button', {}, 'Close')),
  )
  document.body.append(dialog)
  dialog.showModal()
}

let isAfterG = false

/** @param {KeyboardEvent} event */
function onKey(event) {
  const { target, key } = event
  const isTyping = target instanceof HTMLElement && /^(?:INPUT|TEXTAREA|SELECT)$/.test(target.tagName)
  if (isTyping || event.ctrlKey || event.metaKey || event.altKey || document.querySelector('dialog') !== null)
    return
  const page = isAfterG ? LINKS.find((each) => each.key === key) : undefined
  isAfterG = key === 'g'
  if (page !== undefined) location.hash = `#/${page.path}`
  else if (key === '?') showHelp()
  else if (key === 'n') document.getElementById('next')?.click()
  else if (key === '/') {
    const field = byId('main').querySelector('input, textarea, select')
    if (!(field instanceof HTMLElement)) return
    event.preventDefault()
    const folded = field.closest('details')
    if (folded !== null) folded.open = true
    field.focus()
  }
}

drawNavigation()
setTheme(storedTheme())
byId('theme').addEventListener('click', () => {
  const at = THEMES.findIndex((theme) => theme === document.documentElement.dataset['theme'])
  setTheme(THEMES[(at + 1) % THEMES.length] ?? 'auto')
})
byId('help').addEventListener('click', showHelp)
byId('skip').addEventListener('click', (event) => {
  // The fragment of the address names the page, so the link must not change it.
  event.preventDefault()
  byId('main').focus()
})
document.addEventListener('keydown', onKey)
addEventListener('hashchange', () => {
  void show().then(() => {
    // The user may be in a field of the new page already.
    const main = byId('main')
    if (!main.contains(document.activeElement)) main.focus({ preventScroll: true })
    scrollTo({ top: 0, behavior: 'instant' })
  })
})
void show()
