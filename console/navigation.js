/** The list of pages: beside the page, or behind a menu button where the screen is narrow. */

import { h } from './dom.js'
import { GROUPS, LINKS } from './pages.js'

/** @param {string} id */
function byId(id) {
  return /** @type {HTMLElement} */ (document.getElementById(id))
}

export function drawNavigation() {
  byId('nav').replaceChildren(
    ...GROUPS.map(({ title, links }, index) =>
      h(
        'div',
        {},
        h('h2', { id: `pages-${index}` }, title),
        h(
          'ul',
          { 'aria-labelledby': `pages-${index}` },
          links.map((link) =>
            h('li', {}, h('a', { href: `#/${link.path}`, 'data-path': link.path }, link.title)),
          ),
        ),
      ),
    ),
  )
  byId('menu').addEventListener('click', () => setMenu(!isMenuOpen()))
  byId('nav').addEventListener('click', (event) => {
    // The link may lead to the page that is shown already.
    if (event.target instanceof HTMLAnchorElement) setMenu(false)
  })
  document.addEventListener('keydown', ({ key }) => {
    if (key !== 'Escape' || !isMenuOpen()) return
    setMenu(false)
    byId('menu').focus()
  })
}

/** Marks the page that is shown. @param {string} name */
export function markPage(name) {
  const path = name === 'rows' ? 'tables' : name
  for (const link of byId('nav').querySelectorAll('a')) {
    if (link.dataset['path'] === path) link.setAttribute('aria-current', 'page')
    else link.removeAttribute('aria-current')
  }
  const title = LINKS.find((link) => link.path === path)?.title
  byId('menu').textContent = title === undefined ? 'Menu' : `Menu: ${title}`
  setMenu(false)
}

function isMenuOpen() {
  return byId('menu').getAttribute('aria-expanded') === 'true'
}

/** @param {boolean} isOpen */
function setMenu(isOpen) {
  byId('menu').setAttribute('aria-expanded', String(isOpen))
  byId('nav').classList.toggle('open', isOpen)
  if (isOpen) byId('nav').querySelector('a')?.focus()
}
