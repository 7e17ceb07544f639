// Lists say where their other pages are, in GitLab's order and form.
import { linkHeaders } from '../../../src/sandbox/http/serve-api.ts'

const links = (total: number, page: number) =>
  linkHeaders('http://service/api/v4/projects?order_by=id', { page, per_page: 2, total })
const target = (page: number) => `<http://service/api/v4/projects?order_by=id&page=${page}&per_page=2>`

test('a page in the middle links to prev, next, first and last', () => {
  expect(links(8, 2)).toEqual({
    link: `${target(1)}; rel="prev", ${target(3)}; rel="next", ${target(1)}; rel="first", ${target(4)}; rel="last"`,
    'x-page': '2',
    'x-per-page': '2',
    'x-next-page': '3',
    'x-prev-page': '1',
    'x-total': '8',
    'x-total-pages': '4',
  })
})

test('a page after the last links back to the last', () => {
  expect(links(8, 9)).toMatchObject({ 'x-prev-page': '4', 'x-next-page': '' })
})

test('an empty list is one page', () => {
  expect(links(0, 1)).toMatchObject({
    link: `${target(1)}; rel="first", ${target(1)}; rel="last"`,
    'x-next-page': '',
    'x-prev-page': '',
    'x-total': '0',
    'x-total-pages': '1',
  })
})

test.each([
  [10_000, true],
  [10_001, false],
])('of %i entries, the total and the last page are shown: %s', (total, shown) => {
  const given = links(total, 1)
  expect(['x-total' in given, 'x-total-pages' in given, given.link?.includes('rel="last"')]).toEqual([
    shown,
    shown,
    shown,
  ])
  expect(given['x-next-page']).toBe('2')
})
