// What pages do in the browser. Each also works without this script.

// Shows a link to newer items on a list: asks for the page again while it is seen.
const place = document.querySelector('.new-items')
if (place !== null) {
  const idsIn = (page) =>
    [...page.querySelectorAll('.list tbody tr')].map((row) =>
      [...row.querySelectorAll('a')].at(-1)?.getAttribute('href'),
    )
  const [newest] = idsIn(document)
  const everyMs = 3_000
  const timer = setInterval(async () => {
    if (document.hidden) return
    const response = await fetch(location.href).catch(() => undefined)
    if (response?.status === 401) clearInterval(timer)
    if (response?.ok !== true) return
    const ids = idsIn(new DOMParser().parseFromString(await response.text(), 'text/html'))
    const isNewestShown = ids.includes(newest)
    const count = isNewestShown ? ids.indexOf(newest) : ids.length
    const link = document.createElement('a')
    link.href = location.href
    link.className = 'badge info'
    link.textContent = `${count}${isNewestShown ? '' : ' or more'} new: show`
    place.replaceChildren(...(count > 0 ? [link] : []))
  }, everyMs)
}

// Checks rules while they are edited: sends the form as its button does, and shows the problems of the page that answers.
const checked = document.querySelector('form[data-check]')
if (checked instanceof HTMLFormElement) {
  const pauseMs = 400
  const { text } = checked.elements
  const lines = document.querySelector('.numbered > div')
  let timer
  let running
  text.addEventListener('input', () => {
    text.rows = text.value.split('\n').length
    while (lines.children.length < text.rows) {
      const number = lines.appendChild(document.createElement('span'))
      number.textContent = lines.children.length
      number.id = `line-${number.textContent}`
    }
    clearTimeout(timer)
    timer = setTimeout(check, pauseMs)
  })
  // A problem leads to its line, which is selected.
  document.querySelector('#problems').addEventListener('click', (event) => {
    const [, line] = /#line-(\d+)$/.exec(event.target.href) ?? []
    if (line === undefined) return
    event.preventDefault()
    const before = text.value.split('\n', line)
    const end = before.join('\n').length
    document.getElementById(`line-${line}`)?.scrollIntoView({ block: 'nearest' })
    text.focus({ preventScroll: true })
    text.setSelectionRange(end - before.at(-1).length, end)
  })
  async function check() {
    running?.abort()
    running = new AbortController()
    const { signal } = running
    const fields = new URLSearchParams()
    for (const name of ['csrf', 'text']) {
      const field = checked.elements.namedItem(name)
      if (field !== null) fields.set(name, field.value)
    }
    const problems = document.querySelector('#problems')
    try {
      const response = await fetch(checked.action, { method: 'POST', body: fields, signal })
      const page = new DOMParser().parseFromString(await response.text(), 'text/html')
      const found = page.querySelector('#problems, [role="alert"]')
      problems.replaceChildren(
        ...(found?.id === 'problems' ? found.childNodes : [notice('Not checked: reload the page.')]),
      )
    } catch (error) {
      if (error.name !== 'AbortError') problems.replaceChildren(notice(`Not checked: ${error.message}`))
    }
  }
  function notice(text) {
    const made = document.createElement('p')
    made.className = 'notice'
    made.textContent = text
    return made
  }
}

// Copies a field; the clipboard exists only over TLS and on localhost.
for (const button of document.querySelectorAll('[data-copy]')) {
  if (navigator.clipboard === undefined) continue
  button.hidden = false
  button.addEventListener('click', async () => {
    await navigator.clipboard.writeText(document.getElementById(button.dataset.copy).value)
    button.textContent = 'Copied'
  })
}
