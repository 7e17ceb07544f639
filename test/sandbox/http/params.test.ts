// Parsing and checking of parameters.
import fc from 'fast-check'
import { z } from 'zod'
import { endpoint, nameEndpoints } from '../../../src/api/endpoint.ts'
import { addPair, checkParams, parsePairs } from '../../../src/sandbox/http/params.ts'

const { subject } = nameEndpoints({
  subject: endpoint('PUT', '/x/:id', z.null(), {
    doc: '',
    pathParams: { id: z.union([z.int(), z.string()]) },
    query: { page: z.int().positive().default(1), per_page: z.int().positive().max(100).default(20) },
    body: {
      iids: z.array(z.int()).optional(),
      custom_attributes: z.record(z.string(), z.string()).optional(),
      labels: z.string().optional(),
      draft: z.boolean().optional(),
      state: z.enum(['open', 'closed']).optional(),
      assignee_id: z.union([z.int(), z.literal('')]).optional(),
      title: z.string().max(5).optional(),
    },
  }),
})
const check = (query: string, body: Record<string, unknown> = {}, id = '1') =>
  checkParams(subject, { path: { id }, query: parsePairs(query), body })
const refusal = (query: string, body: Record<string, unknown> = {}) => {
  try {
    check(query, body)
  } catch (error) {
    return (error as { body: unknown }).body
  }
  return undefined
}

describe('pairs', () => {
  test.each([
    ['a=1&b=2', { a: '1', b: '2' }],
    ['a=1&a=2', { a: '2' }],
    ['a[]=1&a[]=2', { a: ['1', '2'] }],
    ['a[x]=1&a[y]=2', { a: { x: '1', y: '2' } }],
    ['a[0]=1&a[1]=2', { a: { 0: '1', 1: '2' } }],
    ['a[x]=1&a[]=2', { a: ['2'] }],
    ['a%5Bx%5D=1', { a: { x: '1' } }],
    ['[x]=1', { '[x]': '1' }],
    ['a[][x]=1&a[][y]=2&a[][x]=3', { a: [{ x: '1', y: '2' }, { x: '3' }] }],
    ['a[]=1&a[][x]=2', { a: ['1', { x: '2' }] }],
    ['a[x][y]=1', { 'a[x][y]': '1' }],
  ])('%s', (text, wanted) => {
    expect(JSON.parse(JSON.stringify(parsePairs(text)))).toEqual(wanted)
  })

  test('a field does not change a file of a form', () => {
    const given: Record<string, unknown> = Object.create(null)
    const file = new File([], 'a.txt')
    addPair(given, 'a[]', file)
    addPair(given, 'a[][name]', 'b')
    expect(given.a).toMatchObject([file, { name: 'b' }])
    expect(file.name).toBe('a.txt')
  })

  test('no name reaches a prototype', () => {
    fc.assert(
      fc.property(
        fc.constantFrom('__proto__', 'constructor', 'a'),
        fc.constantFrom('', '__proto__', 'x'),
        (outer, inner) => {
          parsePairs(`${outer}[${inner}]=1&${outer}[polluted]=2`)
          parsePairs(`${outer}[][x]=1&${outer}[][${inner}]=1&${outer}[][polluted]=2`)
          expect(({} as { polluted?: unknown }).polluted).toBeUndefined()
        },
      ),
    )
  })
})

describe('text is converted to the declared type', () => {
  test.each([
    ['iids[]=1&iids[]=2', { iids: [1, 2] }],
    ['iids[0]=1&iids[1]=2', { iids: [1, 2] }],
    ['iids=1,2', { iids: [1, 2] }],
    ['custom_attributes[1]=a&custom_attributes[b]=c', { custom_attributes: { 1: 'a', b: 'c' } }],
    ['draft=true', { draft: true }],
    ['draft=True', { draft: true }],
    ['draft=0', { draft: false }],
    ['draft=no', { draft: false }],
    ['assignee_id=', { assignee_id: '' }],
    ['assignee_id=0', { assignee_id: 0 }],
    ['labels=', { labels: '' }],
    ['per_page=1000', { per_page: 100 }],
  ])('%s', (query, wanted) => {
    expect(check(query)).toMatchObject(wanted)
  })

  test('defaults fill what is not given, unknown names are left out, and digits are an id', () => {
    expect(check('unknown=1')).toEqual({ id: 1, page: 1, per_page: 20 })
    expect(check('', {}, 'a/b')).toMatchObject({ id: 'a/b' })
  })

  test('labels may come as a list', () => {
    expect(check('', { labels: ['a', 'b'] })).toMatchObject({ labels: 'a,b' })
  })
})

describe('invalid parameters are named', () => {
  test('also where it cannot even become text', () => {
    const odd = Object.create(null)
    for (const name of ['assignee_id', 'state', 'labels', 'draft', 'title'])
      expect(refusal('', { [name]: odd }), name).toMatchObject({ error: expect.stringContaining(name) })
    expect(refusal('', { labels: [odd] })).toMatchObject({ error: 'labels is invalid' })
  })

  test.each([
    ['page=0', { error: 'page does not have a valid value' }],
    ['page=x', { error: 'page is invalid' }],
    ['state=ajar', { error: 'state does not have a valid value' }],
    ['iids[]=x', { error: 'iids is invalid' }],
    ['title=too+long', { message: { title: ['is too long (maximum is 5 characters)'] } }],
    ['draft=maybe', { error: 'draft is invalid' }],
    ['title=%00', { error: 'title is invalid' }],
    ['custom_attributes=x', { error: 'custom_attributes is invalid' }],
  ])('%s', (query, body) => {
    expect(refusal(query)).toEqual(body)
  })
})
