//! The types of other crates, each behind its feature.

#[cfg(feature = "http")]
mod http {
    use ::http::HeaderValue;
    use rfc5987::{BuildError, Builder, ContentDisposition};

    #[test]
    fn a_value_is_what_is_built() {
        for name in ["a.txt", "é", "", "a\r\nX: y\0", "\u{202E}\u{10FFFF}%41=?\"\\/"] {
            let builder = Builder::attachment().filename(name).param("size", "1");
            let value = builder.to_header_value().unwrap();
            assert_eq!(value.as_bytes(), builder.build().unwrap().as_bytes());
            assert_eq!(HeaderValue::try_from(&builder).unwrap(), value);
            let read = ContentDisposition::try_from(&value).unwrap();
            assert_eq!(read.filename().as_deref(), Some(name));
        }
    }

    #[test]
    fn errors_are_those_of_build_and_of_the_value() {
        let wrong = Builder::inline().param("a", "\n");
        let error = BuildError::InvalidParameterValue { index: 0 };
        assert_eq!(wrong.to_header_value(), Err(error));
        // Browsers send it; `http` does not take it.
        let part = Builder::form_data("a\0");
        assert_eq!(part.build().as_deref(), Ok("form-data; name=\"a\0\""));
        assert_eq!(part.to_header_value(), Err(BuildError::InvalidHeaderValue));
        let part = Builder::form_data("é\t\r\n").filename("四").to_header_value().unwrap();
        assert_eq!(part, "form-data; name=\"é\t%0D%0A\"; filename=\"四\"");
    }

    #[test]
    fn bytes_that_are_no_text_are_read() {
        let value = HeaderValue::from_bytes(b"attachment; filename=\"na\xEFve.txt\"").unwrap();
        assert!(value.to_str().is_err());
        let read = ContentDisposition::try_from(&value).unwrap();
        assert_eq!(read.filename().as_deref(), Some("naïve.txt"));
        assert!(ContentDisposition::try_from(&HeaderValue::from_static("a b")).is_ok());
        assert!(ContentDisposition::try_from(&HeaderValue::from_static("")).is_err());
    }
}

#[cfg(feature = "headers")]
mod headers {
    use ::headers::{HeaderMap, HeaderMapExt, HeaderValue};
    use rfc5987::{BuildError, Builder, ContentDispositionBuf};

    fn read(values: &[&'static [u8]]) -> Result<Option<ContentDispositionBuf>, ()> {
        let mut map = HeaderMap::new();
        for value in values {
            map.append("content-disposition", HeaderValue::from_bytes(value).unwrap());
        }
        map.typed_try_get().map_err(|_| ())
    }

    #[test]
    fn a_header_is_read_from_its_bytes() {
        let typed = read(&["Inline; filename=\"四.txt\"".as_bytes()]).unwrap().unwrap();
        assert_eq!(typed.disposition(), "Inline");
        assert!(!typed.is_attachment());
        assert_eq!(typed.filename().as_deref(), Some("四.txt"));
        let typed = read(&[b"x; filename*=UTF-8''..%2Fa; filename=b"]).unwrap().unwrap();
        assert!(typed.is_attachment());
        assert_eq!(typed.untrusted_file_name().unwrap().as_raw(), "../a");
        assert!(read(&[b"x"]).unwrap().unwrap().filename().is_none());
    }

    #[test]
    fn a_header_that_is_there_twice_must_be_the_same() {
        assert_eq!(read(&[]), Ok(None));
        assert_eq!(read(&[b"filename=a"]), Err(()));
        assert_eq!(read(&[b"inline", b"attachment"]), Err(()));
        assert!(read(&[b"inline", b"inline"]).unwrap().is_some());
    }

    #[test]
    fn what_is_built_is_sent() {
        let builder = Builder::attachment().filename("é \"1\".txt");
        let typed = ContentDispositionBuf::try_from(&builder).unwrap();
        let mut map = HeaderMap::new();
        map.typed_insert(typed.clone());
        assert_eq!(map["content-disposition"], builder.build().unwrap());
        assert_eq!(HeaderValue::from(typed.clone()), typed.as_header_value());
        assert_eq!(typed.filename().as_deref(), Some("é \"1\".txt"));
        let error =
            ContentDispositionBuf::try_from(&builder.fallback(rfc5987::Fallback::Custom("")));
        assert_eq!(error, Err(BuildError::InvalidFallback));
    }
}

#[cfg(feature = "axum")]
mod axum {
    use axum_core::response::IntoResponse;
    use rfc5987::{Builder, ContentDisposition, Fallback};

    #[test]
    fn a_response_has_the_header_whatever_the_name() {
        for name in ["a.txt", "é", "", "a\r\nX: y\0", "\";x=\"", "\u{202E}\u{10FFFF}%41=?\"\\/"] {
            let response = (Builder::attachment().filename(name), "content").into_response();
            assert_eq!(response.status(), 200);
            let mut values = response.headers().get_all("content-disposition").iter();
            let read = ContentDisposition::try_from(values.next().unwrap()).unwrap();
            assert_eq!(read.filename().as_deref(), Some(name));
            assert!(values.next().is_none());
            assert_eq!(response.headers().len(), 2, "and the type of the content");
        }
    }

    #[test]
    fn one_header_replaces_another() {
        let both = (Builder::inline(), Builder::attachment(), "content").into_response();
        let values: Vec<_> = both.headers().get_all("content-disposition").iter().collect();
        assert_eq!(values, ["attachment"]);
        assert_eq!(Builder::inline().into_response().headers()["content-disposition"], "inline");
    }

    #[test]
    fn what_the_program_got_wrong_is_an_error_of_the_server() {
        for wrong in [
            Builder::attachment().language("e n"),
            Builder::attachment().param("a\r\nb", ""),
            Builder::attachment().fallback(Fallback::Custom("a\r\nb")),
            Builder::form_data("\0"),
        ] {
            let response = (wrong, "content").into_response();
            assert_eq!(response.status(), 500);
            assert!(response.headers().get("content-disposition").is_none());
        }
    }
}

#[cfg(feature = "encoding_rs")]
mod encoding_rs {
    use rfc5987::{ContentDisposition, ExtValueError, Profile};

    fn mail(header: &str) -> Option<String> {
        let read = ContentDisposition::parse_as(header.as_bytes(), Profile::Mail).unwrap();
        read.filename().map(std::borrow::Cow::into_owned)
    }

    #[test]
    fn names_in_sections_are_one_text_of_the_charset() {
        // The second section begins with the second byte of a character.
        let name = mail("attachment; filename*0*=Shift_JIS''%8El%94; filename*1*=%BC.txt");
        assert_eq!(name.as_deref(), Some("四半.txt"));
        let header = b"attachment; filename*0*=Shift_JIS''%8El%94; filename*1=.txt";
        let read = ContentDisposition::parse_as(header, Profile::Mail).unwrap();
        assert_eq!(read.filename_ext().unwrap().err(), Some(ExtValueError::InvalidOctets));
    }

    #[test]
    fn encoded_words_are_read() {
        assert_eq!(mail("x; filename=\"=?koi8-r?B?xsHKzA==?=.txt\"").as_deref(), Some("файл.txt"));
        // Malformed: as it is.
        let word = "=?Shift_JIS?B?gQ==?=";
        assert_eq!(mail(&format!("x; filename=\"{word}\"")).as_deref(), Some(word));
    }

    #[test]
    fn http_reads_them_too() {
        let read = ContentDisposition::parse(b"x; filename=_; filename*=koi8-r''%C6").unwrap();
        assert_eq!(read.filename().as_deref(), Some("ф"));
    }
}
