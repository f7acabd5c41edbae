//! Batches against the cells that the rows hold.

use super::cells::{At, Cell, Text};
use rusqlite::ToSql;
use sqlite_text::{BatchReader, Error, Offset, TextBatch, TextStatement, TypePolicy};

/// How a batch is read.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Plan {
    pub(crate) columns: usize,
    pub(crate) max_rows: usize,
    pub(crate) max_bytes: usize,
    pub(crate) policy: TypePolicy,
    pub(crate) lossy: bool,
    /// Offsets of 64 bits.
    pub(crate) wide: bool,
    /// The columns are new for every batch.
    pub(crate) fresh: bool,
}

impl Plan {
    /// Every policy, strict and lossy, with batches of a row, of a few, and of all.
    pub(crate) fn all(columns: usize) -> impl Iterator<Item = Self> {
        super::cells::POLICIES.into_iter().flat_map(move |policy| {
            (0..8).map(move |n| Self {
                columns,
                max_rows: [usize::MAX, 1, 2, 3][n % 4],
                max_bytes: [usize::MAX, 40, 0, 7][(n + n / 4) % 4],
                policy,
                lossy: n < 4,
                wide: n % 2 == 0,
                fresh: n % 3 == 0,
            })
        })
    }

    fn cell(&self, cell: &Cell, at: At) -> Result<Option<String>, Error> {
        match cell.text(self.policy, at) {
            Ok(text) if self.lossy => Ok(Some(text.lossy())),
            _ => cell.text_opt(self.policy, at),
        }
    }

    /// The texts of a row or its first error, and how many bytes the row counts for.
    fn row(&self, row: usize, cells: &[Cell]) -> (Result<Vec<Option<String>>, Error>, usize) {
        let cells = cells.iter().take(self.columns).enumerate();
        let size = |(column, cell): (usize, &Cell)| match self.cell(cell, At { row, column }) {
            Ok(text) => text.map_or(0, |text| text.len()),
            Err(_) => match cell.text(self.policy, At { row, column }) {
                Ok(Text::Utf8(bytes)) => bytes.len(),
                _ => 0,
            },
        };
        let texts = cells.clone().map(|(column, cell)| self.cell(cell, At { row, column }));
        (texts.collect(), cells.map(size).sum())
    }

    /// Reads all batches and compares them.
    pub(crate) fn check(
        &self,
        statement: &mut TextStatement<'_>,
        params: &[&dyn ToSql],
        truth: &[Vec<Cell>],
        case: &str,
    ) {
        let reader = statement.read_batch(params).unwrap();
        let reader = reader.max_rows(self.max_rows).max_bytes(self.max_bytes);
        let reader = reader.policy(self.policy).lossy(self.lossy);
        let case = format!("{case}, {self:?}");
        if self.wide {
            self.read::<i64>(reader, truth, &case);
        } else {
            self.read::<i32>(reader, truth, &case);
        }
    }

    fn read<O: Offset + Into<i64>>(
        &self,
        mut reader: BatchReader<'_>,
        truth: &[Vec<Cell>],
        case: &str,
    ) {
        let fresh = || (0..self.columns).map(|_| TextBatch::<O>::default()).collect::<Vec<_>>();
        let mut columns = fresh();
        let mut at = 0;
        loop {
            if self.fresh {
                columns = fresh();
            }
            let result = reader.next_batch(&mut columns);
            // As far as the limits let a batch reach; the row behind may be looked at, too.
            let (mut rows, mut bytes, mut bad) = (Vec::new(), 0, None);
            for (row, cells) in truth.iter().enumerate().skip(at) {
                if rows.len() >= self.max_rows.max(1)
                    || (bytes >= self.max_bytes && !rows.is_empty())
                {
                    break;
                }
                let (texts, size) = self.row(row, cells);
                let fits = rows.is_empty() || size <= self.max_bytes - bytes;
                match texts {
                    Ok(texts) if fits => rows.push(texts),
                    Ok(_) => break,
                    Err(error) => {
                        bad = Some((error, fits));
                        break;
                    }
                }
                bytes += size;
            }
            match result {
                Err(error) => {
                    assert_eq!(Some(error), bad.map(|(error, _)| error), "{case}, row {at}");
                    assert!(columns.iter().all(TextBatch::is_empty), "{case}");
                    break;
                }
                Ok(n) => {
                    assert!(
                        !matches!(bad, Some((_, true))),
                        "{case}, row {at}: {n} rows and {bad:?}"
                    );
                    assert_eq!(n, rows.len(), "{case}, row {at}");
                    same(&columns, &rows, case);
                    if n == 0 {
                        assert_eq!(at, truth.len(), "{case}");
                        break;
                    }
                    at += n;
                }
            }
        }
        for _ in 0..2 {
            assert_eq!(reader.next_batch(&mut columns), Ok(0), "{case}");
            assert!(columns.iter().all(TextBatch::is_empty), "{case}");
        }
    }
}

fn same<O: Offset + Into<i64>>(columns: &[TextBatch<O>], rows: &[Vec<Option<String>>], case: &str) {
    for (i, column) in columns.iter().enumerate() {
        let right: Vec<Option<&str>> = rows.iter().map(|row| row[i].as_deref()).collect();
        assert_eq!(column.len(), right.len(), "{case}");
        assert!(column.iter().eq(right.iter().copied()), "{case}: {column:?} {right:?}");
        assert!(column.iter().rev().eq(right.iter().rev().copied()), "{case}");
        for (row, text) in right.iter().enumerate() {
            assert_eq!(column.get(row), *text, "{case}");
        }
        assert_eq!(column.get(right.len()), None, "{case}");
        let (bytes, offsets, validity) = column.clone().into_parts();
        assert_eq!(
            bytes,
            right.iter().flatten().copied().collect::<String>().into_bytes(),
            "{case}"
        );
        let mut end = 0;
        let ends = right.iter().map(|text| {
            end += text.map_or(0, str::len) as i64;
            end
        });
        let ends: Vec<i64> = std::iter::once(0).chain(ends).collect();
        assert_eq!(offsets.into_iter().map(Into::into).collect::<Vec<i64>>(), ends, "{case}");
        let bits = right.contains(&None).then(|| {
            let mut bits = vec![0; right.len().div_ceil(8)];
            for row in (0..right.len()).filter(|row| right[*row].is_some()) {
                bits[row / 8] |= 1 << (row % 8);
            }
            bits
        });
        assert_eq!(validity, bits, "{case}");
    }
}
