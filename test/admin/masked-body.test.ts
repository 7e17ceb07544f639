// Secrets in a delivery's body are masked.
import { maskedBody } from '../../src/admin/api/routes/deliveries.ts'

test.each([
  [
    { object_attributes: { variables: [{ key: 'PASSWORD', value: 'x' }] } },
    { object_attributes: { variables: [{ key: 'PASSWORD', value: '[masked]' }] } },
  ],
  [{ variables: { A: 'x', B: [1] } }, { variables: { A: '[masked]', B: '[masked]' } }],
  [{ variables: 'x' }, { variables: '[masked]' }],
  [
    { Private_Key: { a: 1 }, runnersToken: 'x', has_token: true, token: null },
    { Private_Key: '[masked]', runnersToken: '[masked]', has_token: true, token: null },
  ],
  [{ git_http_url: 'https://bot:pa55@example.com/a.git' }, { git_http_url: 'https://[masked]@example.com/a.git' }],
  [
    { note: 'my token is glpat-abcdefgh1234, keep it; Bearer abc.def' },
    { note: 'my token is [masked], keep it; Bearer [masked]' },
  ],
  [{ note: 'signed with whsec_QUJDREVGR0g= since May' }, { note: 'signed with [masked] since May' }],
  [
    { url: 'https://example.com/a@b', email: 'ann@example.com', n: 1.5 },
    { url: 'https://example.com/a@b', email: 'ann@example.com', n: 1.5 },
  ],
])('%j is shown as %j', (body, shown) => {
  expect(maskedBody(JSON.stringify(body))).toEqual(shown)
})

test('a body that is not JSON is masked as text, and deep nesting is not shown', () => {
  expect(maskedBody('{ glpat-abcdefgh1234')).toBe('{ [masked]')
  expect(JSON.stringify(maskedBody(`${'['.repeat(5000)}"deep"${']'.repeat(5000)}`))).not.toContain('deep')
})
