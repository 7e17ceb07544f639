// Says on a list that something newer is there, and shows it when asked to. Without this script the page is loaded again by hand.
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
