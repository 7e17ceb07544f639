// Safe names of uploaded files.
import fc from 'fast-check'
import { cleanFileName, pictureType } from '../../../src/sandbox/projects/files.ts'
import { anyText } from '../../any-text.ts'

describe('a name', () => {
  test.each([
    ['report.pdf', 'report.pdf'],
    ['My Report (final).pdf', 'My_Report__final_.pdf'],
    ['résumé 履歴書.pdf', 'résumé_履歴書.pdf'],
    ['../../etc/passwd', 'passwd'],
    ['C:\\Windows\\win.ini', 'win.ini'],
    ['..', '_'],
    ['.htaccess', '_htaccess'],
    ['--help', '_help'],
    ['a\0b\r\nc', 'a_b__c'],
    ['a](http://x)', 'x_'],
    ['', 'file'],
    ['folder/', 'file'],
  ])('%j is kept as %j', (given, kept) => {
    expect(cleanFileName(given)).toBe(kept)
  })

  test('that is too long loses its beginning', () => {
    expect(cleanFileName(`${'ü'.repeat(5000)}.jpeg`)).toMatch(/^ü+\.jpeg$/)
  })

  test('becomes one path segment, and cleaning it again changes nothing', () => {
    fc.assert(
      fc.property(anyText(), (given) => {
        const kept = cleanFileName(given)
        expect(kept).toMatch(/^[\p{L}\p{M}\p{N}_+][\p{L}\p{M}\p{N}_.+-]*$/u)
        expect(Buffer.byteLength(kept)).toBeLessThanOrEqual(255)
        expect(cleanFileName(kept)).toBe(kept)
      }),
    )
  })
})

test.each([
  ['a.png', 'image/png'],
  ['a.JPG', 'image/jpeg'],
  ['a.svg', undefined],
  ['a.html', undefined],
  ['png', undefined],
  ['a.png.exe', undefined],
  ['a.constructor', undefined],
])('%s is shown in place as %s', (name, type) => {
  expect(pictureType(name)).toBe(type)
})
