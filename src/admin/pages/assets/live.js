// Shows a link to newer items on a list. Without this script the user reloads the page.
const place = document.querySelector('[data-live]')
if (place instanceof HTMLElement) {
  const source = new EventSource(place.dataset.live ?? '')
  source.onmessage = ({ data }) => {
    const { count, many } = JSON.parse(data)
    const link = document.createElement('a')
    link.href = location.href
    link.textContent = `${count}${many ? ' or more' : ''} new: show`
    place.replaceChildren(...(count > 0 ? [link] : []))
  }
}
