//! The values of `statesurf-bench run encode-json`, written by serde_json.
use serde_derive::Serialize;
use std::time::Instant;

// Fields in the order of their names, which is the order of sorted keys.
#[derive(Serialize)]
#[allow(non_snake_case)]
struct Item {
    id: i64,
    isDone: bool,
    tags: Vec<String>,
    title: String,
}

#[derive(Serialize)]
struct TodoList {
    items: Vec<Item>,
}

#[derive(Serialize)]
#[allow(non_snake_case)]
struct Place {
    isOpen: bool,
    latitude: f64,
    longitude: f64,
    name: String,
}

fn measure<T: serde::Serialize>(label: &str, batch: u32, value: &T) {
    let mut figures: Vec<f64> = Vec::new();
    let mut size = 0;
    for _ in 0..18 {
        let start = Instant::now();
        for _ in 0..batch {
            size = std::hint::black_box(serde_json::to_vec(value).unwrap()).len();
        }
        figures.push(start.elapsed().as_secs_f64() * 1e6 / batch as f64);
    }
    let mut counted = figures.split_off(3);
    counted.sort_by(|one, other| one.partial_cmp(other).unwrap());
    println!("encode-serde-{label:<10} {:9.2} us  {size} octets", counted[7]);
}

fn main() {
    let items = (0..72).map(|id| Item {
        id,
        isDone: false,
        tags: vec!["a".into(), "b".into()],
        title: "buy milk, bread and butter".into(),
    });
    measure("5k", 100, &TodoList { items: items.collect() });
    measure("integers", 1_000, &(0..100).map(|n| n * 7_919).collect::<Vec<i64>>());
    let strings = (0..100).map(|n| format!("{} {}ab", n + 100, "lorem ipsum, ".repeat(7)));
    measure("strings", 500, &strings.collect::<Vec<String>>());
    let places = (0..1_000).map(|n| Place {
        isOpen: n % 2 == 0,
        latitude: n as f64 / 16.0,
        longitude: 11.25,
        name: format!("p{n}"),
    });
    measure("structs", 20, &places.collect::<Vec<Place>>());
}
